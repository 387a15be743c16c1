"""Random games of every game on a GPU; where there is none, their code is compiled for one."""

import pytest

from kostka.arena import gpu
from kostka.core.errors import KostkaError
from kostka.core.game import game, game_at, games
from kostka.core.gpu import available


@pytest.mark.parametrize("name", sorted(games()))
def test_the_playout_of_every_game_compiles_for_a_gpu(name):
    code = gpu.machine_code(game(name))
    assert ".entry" in code and "play_games" in code


@pytest.mark.skipif(not available(), reason="there is no GPU")
@pytest.mark.parametrize("name", sorted(games()))
def test_games_on_a_gpu_end_as_on_a_cpu(name):
    found = gpu.measure(game(name), seconds=0.1)
    assert found["same"] == found["compared"]


def test_without_the_package_for_a_gpu_a_sentence_says_what_to_install(python):
    code = """
        import importlib.util
        from kostka.core.errors import KostkaError
        found = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: (
            None if name == "numba_cuda" else found(name, *rest)
        )
        try:
            import kostka.arena.gpu
        except KostkaError as error:
            print(error)
    """
    assert "pip install 'kostka[gpu]'" in python(code)


def test_a_game_that_is_not_installed_is_found_by_its_place():
    found = game_at("kostka.games.dicewars:game")
    assert found is game("dicewars")
    for place in ("kostka.games.dicewars:nothing", "kostka.games.dicewars:Option", "nowhere:game"):
        with pytest.raises(KostkaError, match=place.partition(":")[0]):
            game_at(place)
    with pytest.raises(KostkaError, match="unknown game"):
        game("kostka.games.dicewars:game")
