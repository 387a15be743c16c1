"""What there is: games and agents."""

from kostka.cli import app
from kostka.cli.shared import Csv, GameName, Json, err, out, print_csv, print_json, table
from kostka.core.game import game as find_game
from kostka.core.game import games as all_games
from kostka.core.game import installed


@app.command(epilog="Example: kostka games")
def games(json: Json = False, csv: Csv = False) -> None:
    """List the installed games and their options."""
    rows = [
        {
            "game": game.name,
            "title": game.title,
            "option": option.name,
            "default": option.default,
            "values": option.range(),
            "help": option.help,
        }
        for game in all_games().values()
        for option in game.options
    ]
    if json:
        print_json(rows)
    elif csv:
        print_csv(rows)
    else:
        for game in all_games().values():
            shown = table("option", ">default", "values", "", title=f"{game.name} — {game.title}")
            for o in game.options:
                shown.add_row(o.name, str(o.default), o.range(), o.help)
            for name, options in game.presets.items():
                given = ", ".join(f"{option}={value}" for option, value in options.items())
                shown.add_row(f"--preset {name}", "", given, "a set of options")
            out.print(shown, "")
    for name, why in installed()[1].items():
        err.print(f"{name} cannot be loaded: {why}", markup=False)


@app.command(epilog="Example: kostka agents dicewars")
def agents(game: GameName, json: Json = False, csv: Csv = False) -> None:
    """List the agents of a game with their parameters and defaults."""
    from kostka.agents import kinds

    known = kinds(find_game(game))
    rows = [
        {"agent": name, "help": kind.help, "parameters": {o.name: o.default for o in kind.options}}
        for name, kind in known.items()
    ]
    if json:
        print_json(rows)
    elif csv:
        print_csv([{**row, "parameters": _spec(row["parameters"])} for row in rows])
    else:
        for name, kind in known.items():
            out.print(f"[bold]{name}[/bold]  {kind.help}")
            shown = table("   parameter", ">default", "values", "")
            for o in kind.options:
                shown.add_row(f"   {o.name}", str(o.default), o.range(), o.help)
            if kind.options:
                out.print(shown)
        out.print(
            "\nWrite an agent as [bold]name[/bold] or [bold]name:parameter=value,…[/bold], "
            "or as [bold]module:Class[/bold] for your own class with a method act(view)."
        )


def _spec(parameters: object) -> str:
    assert isinstance(parameters, dict)
    return ",".join(f"{name}={value}" for name, value in parameters.items())
