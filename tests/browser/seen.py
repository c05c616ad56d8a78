"""What tests find on a page where levels are played, and fingers to play with."""


def stat(page, name):
    return page.locator(".stat", has=page.get_by_text(name, exact=True)).locator("dd")


def message(page):
    return page.locator(".veil strong")


class Finger:
    """Touches, which a mouse cannot stand for."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)

    def __call__(self, kind, *points):
        touches = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
