"""Modules of a page in one script: each once, behind what it imports, and nothing that is not understood."""

import pytest

from levelsmith.demo.page import FIRST, OWN_MODULES
from levelsmith.publish.bundle import bundle
from levelsmith.publish.page import API
from levelsmith.studio.modules import modules as of_studio


def bundled(tmp_path, **modules):
    for name, text in modules.items():
        (tmp_path / f"{name}.js").write_text(text)
    return bundle("main.js", {file.name: file for file in tmp_path.iterdir()})


def test_imports_become_constants_and_exports_are_returned(tmp_path):
    script = bundled(
        tmp_path,
        main='import { one, two as second } from "./other.js";\nimport * as all from "./other.js";\n',
        other="export const one = 1;\nexport const [two, three] = [2, 3];\n"
        "const four = 4;\nexport { four };\nexport async function five() {}\nexport class Six {}\n",
    )
    assert script.index('modules["other.js"]') < script.index('modules["main.js"]')
    assert 'const { one, two: second } = modules["other.js"];' in script
    assert 'const all = modules["other.js"];' in script
    assert "return { one, two, three, five, Six, four };" in script
    assert "export" not in script
    assert "import" not in script


def test_a_module_that_two_import_is_there_once(tmp_path):
    script = bundled(
        tmp_path,
        main='import { a } from "./left.js";\nimport { b } from "./base.js";\n',
        left='import { b } from "./base.js";\nexport const a = b;\n',
        base="export const b = 1;\n",
    )
    assert script.count('modules["base.js"] =') == 1


@pytest.mark.parametrize(
    "source",
    [
        "export default 1;\n",
        'import "./other.js";\n',
        'const a = await import("./other.js");\n',
        'const a = "</script>";\n',
        'export { a as b } from "./other.js";\n',
    ],
)
def test_what_is_not_understood_is_refused(tmp_path, source):
    (tmp_path / "other.js").write_text("export const a = 1;\n")
    with pytest.raises(ValueError, match=r"cannot put main\.js into a page"):
        bundled(tmp_path, main=source)


def test_types_of_other_modules_in_comments_are_left_alone(tmp_path):
    source = '/** @param {import("./other.js").Spot} spot @returns {Promise<string>} */\nconst a = 1;\n'
    assert source in bundled(tmp_path, main=source)


def test_modules_that_import_each_other_are_refused(tmp_path):
    with pytest.raises(ValueError, match="do not import each other"):
        bundled(
            tmp_path,
            main='import { a } from "./other.js";\nexport const b = 1;\n',
            other='import { b } from "./main.js";\nexport const a = b;\n',
        )


def test_the_page_carries_the_rules_of_the_studio_as_they_are():
    files = {**of_studio(), **API, **OWN_MODULES}
    script = bundle(FIRST, files)
    runner = (f"loderunner/{name}" for name in ("game", "play", "plan", "still"))
    for name in ("sokoban/play", "sokoban/game", *runner, "binary/chart"):
        lines = files[f"games/{name}.js"].read_text().splitlines()
        assert f'modules["games/{name}.js"]' in script
        for line in lines:
            if not line.startswith(("import ", "} from ", "export {")):
                assert line.removeprefix("export ") in script
