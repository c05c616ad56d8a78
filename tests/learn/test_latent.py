"""Levels from a model: the compiled network against a plain one in numpy, and the promises of `latent`."""

from __future__ import annotations

import numpy as np
import pytest

from learn.untrained import SIZE, model
from levelsmith import load, save
from levelsmith.core import Canvas, Level
from levelsmith.errors import LevelsmithError
from levelsmith.kernels.compile import kernel
from levelsmith.kernels.problem import cross, mutate, pack, sample, unpack
from levelsmith.kernels.random import seeded
from levelsmith.learn.kernels import network
from levelsmith.learn.kernels.prior import WARMTH
from levelsmith.learn.latent import LATENT, LatentRepresentation
from levelsmith.learn.model import Model
from levelsmith.learn.sampling import samples
from levelsmith.levels.compare import compare
from levelsmith.registry import games
from levelsmith.testing import check_representation
from reference import learn as plain


@kernel
def coded(net, cells, out):
    network.encode(net, cells)
    for j in range(len(out)):
        out[j] = net.line[0, j]


@kernel
def drawn(net, code, cells, rng):
    for j in range(len(code)):
        net.line[0, j] = code[j]
    network.decode(net, cells, 0.0, rng)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "kind", "more"),
    [
        ("default", "ae", {}),
        ("default", "vq", {}),
        ("paper", "ae", {"bound": "sigmoid"}),
        ("paper", "vae", {}),
        ("paper", "ae", {"net": "dense", "bound": "tanh"}),
        ("paper", "vae", {"net": "dense"}),
    ],
)
def test_the_compiled_network_computes_what_its_plain_twin_does(mode, kind, more):
    made = model(mode, kind, **more)
    settings, weights = made.settings, made.weights
    net, rng = network.make(made), np.random.default_rng(1)
    for _ in range(5):
        grid = rng.integers(0, 2, SIZE).astype(np.uint8)
        code, cells = np.zeros(settings.latent), np.zeros(grid.size, np.uint8)
        coded(net, grid.ravel(), code)
        seen = grid if mode == "default" else grid.astype(int) - 1  # a channel has no tile before its first
        assert code == pytest.approx(plain.code(settings, weights, seen), rel=1e-4, abs=1e-4)
        drawn(net, code, cells, seeded(np.random.SeedSequence(0)))
        level = cells.reshape(SIZE)
        found = plain.logits(settings, weights, plain.features(settings, weights, code), level)
        # The likeliest tile is taken each time, so that the level is what its own cells make likely.
        likely = found.argmax(-1) if mode == "default" else found[..., 0] > 0
        assert (level == likely).all()


wrapping = np.errstate(over="ignore")  # words of random numbers wrap around


@wrapping
def code_drawn(net, rng, out):
    network.draw_code(net, rng)
    for j in range(len(out)):
        out[j] = net.line[0, j]


@wrapping
def code_moved(net, rng, out):
    network.shift_code(net, 9.0, rng)
    for j in range(len(out)):
        out[j] = net.line[0, j]


@wrapping
def code_redrawn(net, rate, rng, out):
    network.redraw_code(net, rate, rng)
    for j in range(len(out)):
        out[j] = net.line[0, j]


@pytest.mark.parametrize(
    ("bound", "low", "high"), [("none", None, None), ("sigmoid", 0.0, 1.0), ("tanh", -1.0, 1.0)]
)
def test_codes_are_drawn_as_they_are_spread_or_uniformly_between_bounds(bound, low, high):
    rng, codes = seeded(np.random.SeedSequence(0)), np.zeros((2000, 4))
    made = model("paper", "ae", bound=bound)
    middle, half = (0.5, 0.5) if low is None else ((low + high) / 2, (high - low) / 2)
    summed = {"mean": np.full(4, middle, np.float32), "spread": half * np.eye(4, dtype=np.float32)}
    net = network.make(Model(made.settings, made.weights | summed))
    for code in codes:
        code_drawn(net, rng, code)
    np.testing.assert_allclose(codes.mean(0), middle, atol=0.1 * half)
    if low is None:
        np.testing.assert_allclose(codes.std(0), half, atol=0.05)
        assert codes.min() < -0.5
        return
    np.testing.assert_allclose(codes.std(0), half / 3**0.5, atol=0.02 * half)
    assert low <= codes.min() < low + 0.02 < high - 0.02 < codes.max() <= high
    code_moved(net, rng, codes[0])
    assert {low, high} >= {x for x in codes[0] if not low < x < high}


def test_a_mutation_may_draw_each_number_of_a_code_anew_with_a_chance_or_exactly_one():
    rng, code = seeded(np.random.SeedSequence(0)), np.zeros(4)
    net = network.make(model("paper", "ae", bound="tanh"))
    changed = []
    for rate in (0.0,) * 200 + (0.25,) * 400:
        net.line[0, :4] = 5.0  # outside: it is seen which are drawn
        code_redrawn(net, rate, rng, code)
        changed.append(int((code != 5.0).sum()))
    assert set(changed[:200]) == {1}
    assert 0.2 < np.mean(changed[200:]) / 4 < 0.3


@kernel
def part_redrawn(net, cells, rng):
    network.redraw_part(net, cells, 10.0, rng)


@pytest.mark.slow
def test_codes_of_a_vq_are_drawn_by_its_prior():
    made = model("default", "vq")
    net, rng, codes = network.make(made), seeded(np.random.SeedSequence(0)), np.zeros((1000, 8))
    for code in codes:
        code_drawn(net, rng, code)
    assert set(np.unique(codes)) == {-1.0, 0.0, 1.0}
    tokens = (codes.reshape(-1, 4, 2) + 1).astype(int) @ [1, 3]
    for place in (0, 3):  # the first, and the last by what came most often before it
        before = np.unique(tokens[:, :place], axis=0, return_counts=True) if place else None
        like = np.ones(len(codes), bool)
        if before is not None:
            like = (tokens[:, :place] == before[0][before[1].argmax()]).all(1)
        scores = plain.scores(made.settings, made.weights, codes[like][0])[place] / WARMTH
        wanted = np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
        met = np.bincount(tokens[like, place], minlength=9) / like.sum()
        assert np.abs(met - wanted).max() < 4 * (0.25 / like.sum()) ** 0.5


@pytest.mark.slow
def test_a_mutation_of_a_vq_draws_a_part_anew_and_what_is_its_mirror_image_stays_so():
    size = (16, 16)  # four by four places, of which at most three by three change
    shape = {"latent": 32}
    made = model("default", "vq", size=size, **shape)
    rng, board = seeded(np.random.SeedSequence(0)), np.zeros(size, np.uint8)
    board[::2] = 1
    for symmetry in (0.0, 0.5):
        net = network.make(
            Model(made.settings, made.weights | {"symmetry": np.full(1, symmetry, np.float32)})
        )
        shares = []
        for _ in range(10):
            after = board.copy()
            part_redrawn(net, after.ravel(), rng)
            rows, columns = np.nonzero(after != board)
            shares.append(len(rows) / board.size)
            assert not net.kept.any()
            if symmetry:
                np.testing.assert_array_equal(after, after[:, ::-1])
            else:
                assert max(np.ptp(rows), np.ptp(columns)) < 14
        assert 0.0 < np.mean(shares) < 0.5


@pytest.mark.slow
def test_as_many_samples_of_a_vq_are_their_mirror_images_as_of_the_levels_it_learned_from():
    made = model("default", "vq")
    half = Model(made.settings, made.weights | {"symmetry": np.full(1, 0.5, np.float32)})
    for each, low, high in ((made, 0.0, 0.1), (half, 0.4, 0.6)):
        grids = samples(each, 200, seed=1, temperature=10.0)
        assert low <= (grids == grids[:, :, ::-1]).all((1, 2)).mean() <= high


@pytest.mark.slow
@np.errstate(over="ignore")  # words wrap around in plain Python too
def test_the_first_samples_are_the_originals_and_their_mirror_images(tmp_path):
    given = samples(model("paper", "ae", bound="tanh"), 3, seed=4)
    given[:, 0, 0] = 1
    given[:, 0, -1] = 0
    save([Level("orchard", games.get("orchard").tiles, grid) for grid in given], tmp_path / "given.json")
    model("paper", "ae", bound="tanh").save(tmp_path / "model.npz")
    values = {p.name: p.default for p in LATENT.parameters} | {"model": str(tmp_path / "model.npz")}
    values |= {"originals": str(tmp_path / "given.json")}
    rep = LATENT.build(games.get("orchard"), Canvas(SIZE), values, "variation")
    seed = seeded(np.random.SeedSequence(2))
    met = [LATENT.grid(rep, sample(rep, seed).cells).tobytes() for _ in range(8)]
    assert met[:6] == [grid.tobytes() for grid in (*given, *given[:, :, ::-1])]
    assert rep.handed[0] == 6
    with pytest.raises(LevelsmithError, match=r"nobody knows what .* learned from"):
        LATENT.build(games.get("orchard"), Canvas(SIZE), values | {"originals": "learned"}, "variation")


def test_samples_are_levels_of_the_model_and_a_seed_gives_the_same():
    grids = samples(model(), 3, seed=1, temperature=10.0)
    assert grids.shape == (3, *SIZE)
    assert len({grid.tobytes() for grid in grids}) == 3
    np.testing.assert_array_equal(grids, samples(model(), 3, seed=1, temperature=10.0))


@pytest.mark.slow
@np.errstate(over="ignore")  # words wrap around in plain Python too
def test_no_candidate_is_too_like_given_levels(tmp_path):
    game, file = games.get("orchard"), str(tmp_path / "model.npz")
    given = [Level("orchard", game.tiles, grid) for grid in samples(model(), 8, seed=1, temperature=10.0)]
    model().save(file)
    save(given, tmp_path / "given.json")
    values = {p.name: p.default for p in LATENT.parameters} | {"model": file, "temperature": 10.0}

    def most(values):
        """How like the likest of some candidates is to the given levels."""
        rep = LATENT.build(game, Canvas(SIZE), values, "variation")
        seed = seeded(np.random.SeedSequence(2))
        met, rows = [], np.zeros((2, rep.words), np.uint64)
        for _ in range(30):
            for row in rows:
                pack(rep, sample(rep, seed), row)
            met += [mutate(rep, unpack(rep, rows[0]), 0.0, seed), cross(rep, rows[0], rows[1], seed)]
            met += [unpack(rep, row) for row in rows]
        levels = [Level("orchard", game.tiles, LATENT.grid(rep, state.cells)) for state in met]
        return compare(levels, given)["jaccard_most"]

    assert most(values) > 0.55
    assert 0.35 < most({**values, "unlike": str(tmp_path / "given.json"), "likeness": 0.45}) <= 0.45


@kernel
def sampled(rep, rng, rows):
    for i in range(len(rows)):
        pack(rep, sample(rep, rng), rows[i])


@pytest.mark.slow
def test_no_sample_of_the_default_model_of_lode_runner_is_too_like_the_corpus():
    game, corpus = games.get("loderunner"), load("loderunner:corpus")
    values = {p.name: p.default for p in LATENT.parameters}
    likeness = 0.33  # a third of the samples are more like a level of it than that

    def drawn(more):
        rep = LATENT.build(game, Canvas(game.default_size), values | more, "variation")
        rows = np.zeros((8, rep.words), np.uint64)
        sampled(rep, seeded(np.random.SeedSequence(1)), rows)
        grids = [LATENT.grid(rep, unpack(rep, row).cells) for row in rows]
        return [Level(game.name, game.tiles, grid.copy()) for grid in grids]

    assert compare(drawn({}), corpus)["jaccard_most"] > likeness
    unlike = drawn({"unlike": "loderunner:corpus", "likeness": likeness})
    assert 0.2 < compare(unlike, corpus)["jaccard_most"] <= likeness
    assert len({level.text for level in unlike}) == 8


@pytest.mark.slow
def test_latent_keeps_the_promises_of_a_representation(tmp_path):
    class OfAnySize(LatentRepresentation):
        def build(self, game, canvas, values, needs):
            file = str(tmp_path / f"{canvas.size}.npz")
            model(size=canvas.size).save(file)
            return super().build(game, canvas, {**values, "model": file, "temperature": 10.0}, needs)

    check_representation(OfAnySize())


def test_a_vq_refuses_what_only_other_models_use(tmp_path):
    model("default", "vq").save(tmp_path / "vq.npz")
    values = {p.name: p.default for p in LATENT.parameters} | {"model": str(tmp_path / "vq.npz")}
    LATENT.build(games.get("orchard"), Canvas(SIZE), values, "variation")
    for more in ({"shift": 1.0}, {"mutating": "redraw"}):
        with pytest.raises(LevelsmithError, match="a vq draws parts of levels anew: leave out `mutating`"):
            LATENT.build(games.get("orchard"), Canvas(SIZE), values | more, "variation")


@pytest.mark.parametrize(
    ("choice", "size", "says"),
    [
        ("vae", SIZE, "no model of orchard is shipped"),
        ("nowhere.npz", SIZE, "expected vq, vae, ae, or the path of a model, got 'nowhere.npz'"),
        ("model.npz", (4, 4), "expected the size 6x5 of the model, got 4x4"),
        ("other.npz", SIZE, "is a model of binary, but orchard was asked for"),
        ("model.npz, unlike", SIZE, "expected levels of 6x5 in given.json, got one of 4x4; leave it out"),
    ],
)
def test_models_that_do_not_fit_are_refused(choice, size, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model().save("model.npz")
    model(game="binary").save("other.npz")
    save(Level("orchard", games.get("orchard").tiles, np.zeros((4, 4), np.uint8)), "given.json")
    name, _, more = choice.partition(", ")
    values = {p.name: p.default for p in LATENT.parameters} | {"model": name}
    values |= {more: "given.json"} if more else {}
    with pytest.raises(LevelsmithError, match=says):
        LATENT.build(games.get("orchard"), Canvas(size), values, "variation")
