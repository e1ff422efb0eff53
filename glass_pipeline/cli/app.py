"""Holds the declaration of every subcommand: names, options, help; the work is done by the module it names."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from glass_pipeline.cli.arc_commands import arc

app = typer.Typer(
    name="glass",
    help="Which benchmark items break when they are reworded without changing what they ask.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
)
app.add_typer(arc)
requests = typer.Typer(name="requests", help="What is left to ask, as a file, and its responses.", no_args_is_help=True)
app.add_typer(requests)

StudyFile = Annotated[Path | None, typer.Option("--study", help="Study file; default glass.toml here.")]
Suite = Annotated[str, typer.Argument(help="A suite of glass.toml, e.g. glassmini.")]
Solvers = Annotated[
    list[str] | None,
    typer.Option("--solver", help="Solver to use; repeat for several. Default: all enabled."),
]
Doses = Annotated[
    list[str] | None, typer.Option("--dose", help="Dose to use, e.g. m3; repeat for several. Default: all.")
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Only the first N problems, kept as suite <suite>-nN.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


@app.command()
def demo(study: StudyFile = None, as_json: AsJson = False) -> None:
    """Run the whole graph on glassmini with a simulated solver, then a slice with a real small model."""
    from glass_pipeline.cli.demo import demo as command

    command(study, as_json=as_json)


@app.command()
def run(
    suite: Suite,
    solver: Solvers = None,
    dose: Doses = None,
    limit: Limit = None,
    select: Annotated[
        list[str] | None, typer.Option(help="Only this stage or group of stages, e.g. predictors; repeat for several.")
    ] = None,
    retry: Annotated[
        list[str] | None, typer.Option(help="Ask again where samples have this status, e.g. length.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print requests, tokens and money; ask no solver.")
    ] = False,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Make everything of a suite that is missing or stale, up to the report."""
    from glass_pipeline.cli.graph import Wanted
    from glass_pipeline.cli.graph import run as command

    wanted = Wanted(suite, tuple(solver or ()), tuple(dose or ()), limit, tuple(select or ()), frozenset(retry or ()))
    command(wanted, study, dry_run=dry_run, as_json=as_json)


@app.command()
def status(
    suite: Annotated[str | None, typer.Argument(help="Suite; default all.")] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Say what is up to date, what is stale and why."""
    from glass_pipeline.cli.graph import status as command

    command(suite, study, as_json=as_json)


@app.command()
def plan(
    suite: Suite,
    solver: Annotated[str, typer.Option("--solver", help="Solver whose labels are the pilot.")],
    limit: Limit = None,
    reliability: Annotated[float, typer.Option(help="Wanted reliability of the ranking.")] = 0.8,
    half_width: Annotated[float, typer.Option(help="Wanted half-width of one item's interval.")] = 0.05,
    difference: Annotated[float, typer.Option(help="Difference in mean π to be seen between two solvers.")] = 0.05,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Say how many twins, items and calls a wanted precision takes, judging from the labels that are there."""
    from glass_pipeline.cli.plan import Wishes
    from glass_pipeline.cli.plan import plan as command

    command(suite, solver, limit, Wishes(reliability, half_width, difference), study, as_json=as_json)


@app.command()
def report(
    suite: Suite,
    limit: Limit = None,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    study: StudyFile = None,
) -> None:
    """Print the report of a suite as text, and where its page lies."""
    from glass_pipeline.cli.graph import report as command

    command(suite, limit, study, open_page=open_page)


@app.command()
def overview(
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print every suite and solver side by side, and where the page of all suites lies."""
    from glass_pipeline.cli.graph import overview as command

    command(study, open_page=open_page, as_json=as_json)


@app.command()
def show(
    item: Annotated[str, typer.Argument(help="Id of an item, as the report and the tables write it.")],
    suite: Annotated[str | None, typer.Option(help="Its suite, where several have an item of this id.")] = None,
    solver: Annotated[str | None, typer.Option(help="Only this solver's answers.")] = None,
    everything: Annotated[bool, typer.Option("--outputs", help="Every output of every sample, in full.")] = False,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Show one item: its twins as word diffs, what the solver answered, and why each twin broke."""
    from glass_pipeline.cli.show import Shown
    from glass_pipeline.cli.show import show as command

    command(Shown(item, suite, solver, everything), study, as_json=as_json)


@app.command()
def query(
    sql: Annotated[str, typer.Argument(help="SQL; tables are named <suite>.<stage>.")],
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Ask the warehouse a question in SQL, e.g. 'select count(*) from glassmini.twins'."""
    from glass_pipeline.cli.graph import query as command

    command(sql, study, as_json=as_json)


@app.command()
def ui(port: Annotated[int, typer.Option(help="Port of the web page.")] = 3000, study: StudyFile = None) -> None:
    """Start the Dagster web page and daemon for this study, until Ctrl-C."""
    from glass_pipeline.cli.ui import ui as command

    command(port, study)


@app.command()
def twins(
    problems: Annotated[Path, typer.Argument(help="JSONL with id, question, answer; - reads stdin.")],
    operator: Annotated[
        list[str] | None, typer.Option(help="Operator family; repeat for several. Default: the three of the mix.")
    ] = None,
    dose: Annotated[str, typer.Option(help="Dose, e.g. m3: sentences an injection splices in.")] = "m1",
    seed: Annotated[int, typer.Option(help="Seed of every draw.")] = 42,
    as_json: AsJson = False,
) -> None:
    """Write the twins of any problem file to stdout, one JSON object a line, and the declines to stderr."""
    from glass_pipeline.cli.files import twins as command

    command(problems, tuple(operator or ()), dose, seed, as_json=as_json)


@app.command()
def audit(
    pairs: Annotated[Path, typer.Argument(help="JSONL with base_text, twin_text, gold; - reads stdin.")],
    as_json: AsJson = False,
) -> None:
    """Write an audit verdict for every pair of any file to stdout, one JSON object a line."""
    from glass_pipeline.cli.files import audit as command

    command(pairs, as_json=as_json)


@app.command(name="export-pairs")
def export_pairs(
    suite: Annotated[str, typer.Argument(help="A suite of the warehouse.")],
    solver: Annotated[str, typer.Option(help="Solver whose labels are exported.")],
    to: Annotated[Path, typer.Option(help="Folder to make; it must be new or empty.")],
    layout: Annotated[
        str, typer.Option("--format", help="jsonl, parquet, or hf: a Hugging Face data set with its card.")
    ] = "jsonl",
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Write labelled pairs as files that other tools read, with licence notices and citation."""
    from glass_pipeline.cli.export_pairs import export_pairs as command

    command(suite, solver, layout, to, study, as_json=as_json)


@app.command(name="import-pairs")
def import_pairs(
    files: Annotated[
        list[str],
        typer.Argument(help="Absolute paths or bare names of .jsonl, .jsonl.gz or .parquet, or a release's folder."),
    ],
    slug: Annotated[str, typer.Option("--as", help="Name of the suite to make.")],
    solver: Annotated[str | None, typer.Option(help="Solver to read, where the files hold several.")] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Read labelled pairs of others into the warehouse; a partly broken file imports nothing."""
    from glass_pipeline.cli.import_pairs import import_pairs as command

    command(files, solver, slug, study, as_json=as_json)


@app.command()
def survey(
    suites: Annotated[list[str] | None, typer.Argument(help="Suites; default all that have labelled pairs.")] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print problems, twins, fragile and zero share and R1-R3 of suites, beside the published ones."""
    from glass_pipeline.cli.survey import survey as command

    command(tuple(suites or ()), study, as_json=as_json)


@app.command(name="audit-sheet")
def audit_sheet(
    suite: Suite,
    dose: Doses = None,
    n: Annotated[int, typer.Option("--pairs", min=1, help="Pairs to draw, by outcome of the audit.")] = 200,
    to: Annotated[Path, typer.Option(help="Folder for the sheet.")] = Path("review"),
    reviewed: Annotated[
        Path | None, typer.Option("--import", help="A reviewed CSV: read its verdicts instead of drawing.")
    ] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Draw audited pairs into a sheet for a person to review, or read one back and say what it means."""
    from glass_pipeline.cli.audit_sheet import draw, read_back

    if reviewed is None:
        draw(suite, tuple(dose or ()), n, to, study, as_json=as_json)
    else:
        read_back(suite, tuple(dose or ()), reviewed, study, as_json=as_json)


@app.command()
def reaudit(
    suite: Suite,
    dose: Doses = None,
    limit: Limit = None,
    adopt: Annotated[
        str | None, typer.Option(help="Date of a re-audit, e.g. 2026-12-07: use its verdicts from now on.")
    ] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Have a suite's twins judged anew, beside the audit in use, and say how far verdicts drifted."""
    from glass_pipeline.cli.reaudit import reaudit as command

    command(suite, tuple(dose or ()), limit, adopt, study, as_json=as_json)


@app.command()
def grade(
    responses: Annotated[Path, typer.Argument(help="JSONL with response or answer, gold, dataset.")],
) -> None:
    """Grade the responses of any file; writes each row with answer, rule, status and correct added."""
    from glass_pipeline.cli.files import grade as command

    command(responses)


@app.command()
def predict(
    items: Annotated[Path, typer.Argument(help="JSONL with id and question (or text); - reads stdin.")],
    model: Annotated[Path, typer.Option(help="Folder of a model that `glass run` trained.")],
    dose: Annotated[str | None, typer.Option(help="Dose of the worst case, e.g. m9; needs --twins.")] = None,
    twins: Annotated[
        int | None, typer.Option(min=1, help="Twins among which the worst case is asked for; default the study's mix.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write how often rewording would break each item, with interval, dose line and worst case, one JSON a line."""
    from glass_pipeline.cli.predict import predict as command

    command(items, model, dose, twins, as_json=as_json)


@app.command()
def curate(
    suite: Suite,
    top: Annotated[str, typer.Option(help="Share of the items to choose, e.g. 5%.")] = "5%",
    solver: Annotated[str | None, typer.Option(help="Solver; default the only one.")] = None,
    predictor: Annotated[str | None, typer.Option(help="Predictor; default the first that keeps a model.")] = None,
    items: Annotated[
        Path | None, typer.Option(help="Choose among the items of a JSONL file instead of the suite's own.")
    ] = None,
    limit: Limit = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Choose the items that rewording breaks most: by measured rates where there are any, else by predicted ones."""
    from glass_pipeline.cli.curate import Choice
    from glass_pipeline.cli.curate import curate as command

    command(Choice(suite, limit, top, solver, predictor, items), study, as_json=as_json)


@app.command()
def synth(
    features: Annotated[
        str, typer.Option(help="Frozen features: tfidf_svd, hashing, surface or minilm.")
    ] = "tfidf_svd",
    seed: Annotated[int | None, typer.Option(help="Seed of every draw; default the study's.")] = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Rank held-out jobs of Synth-CD, whose truth was drawn, by Frail-τ, Frail-π and baselines (minutes)."""
    from glass_pipeline.cli.synth import synth as command

    command(features, seed, study, as_json=as_json)


@app.command()
def compare(
    files: Annotated[
        list[Path], typer.Argument(help="Result files, the baseline first; a folder holds one file a seed.")
    ],
    item: Annotated[str | None, typer.Option("--id", help="Column of the item; default id.")] = None,
    value: Annotated[
        str | None, typer.Option(help="Column, metric[,filter] or scorer; default correct or score.")
    ] = None,
    seed: Annotated[str | None, typer.Option(help="Column of the training seed; default seed, if there.")] = None,
    decoding: Annotated[str | None, typer.Option(help="Column that tells samples of one item apart.")] = None,
    cluster: Annotated[str | None, typer.Option(help="Column of items that belong together; default cluster.")] = None,
    stratum: Annotated[str | None, typer.Option(help="Column of the category; default stratum.")] = None,
    part: Annotated[str, typer.Option("--slice", help="Slice of a table of break rates, e.g. m9.")] = "pooled",
    gate: Annotated[
        list[str] | None, typer.Option(help="Condition, e.g. 'delta_high < 0.02'; repeat for more.")
    ] = None,
    at_least: Annotated[float, typer.Option(help="Difference that matters, in the unit of the scores.")] = 0.01,
    margin: Annotated[float, typer.Option(help="Largest difference that counts as equal.")] = 0.01,
    lower_is_better: Annotated[bool, typer.Option("--lower-is-better", help="The score is an error rate.")] = False,
    thresholds: Annotated[Path | None, typer.Option(help="TOML declared before the systems were evaluated.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether B - A is real: intervals, tests, flips and a verdict; exit 5 where a gate does not hold."""
    from glass_pipeline.cli.compare import Asked
    from glass_pipeline.cli.compare import compare as command
    from glass_pipeline.domain.comparison.reading import Columns

    columns = Columns(id=item, value=value, seed=seed, decoding=decoding, cluster=cluster, stratum=stratum)
    gates = tuple(gate or ())
    asked = Asked(tuple(files), columns, gates, part, at_least, margin, lower_is_better, thresholds)
    command(asked, as_json=as_json)


OneSolver = Annotated[str, typer.Option("--solver", help="Solver, of kind openai, whose requests these are.")]


@requests.command(name="export")
def export_requests(
    suite: Suite, solver: OneSolver, dose: Doses = None, limit: Limit = None, study: StudyFile = None
) -> None:
    """Write what the response store lacks to stdout, one request a line, in the format of OpenAI's Batch API."""
    from glass_pipeline.cli.graph import Wanted
    from glass_pipeline.cli.request_files import export_requests as command

    command(Wanted(suite, (solver,), tuple(dose or ()), limit), study)


@requests.command(name="import")
def import_responses(
    suite: Suite,
    responses: Annotated[Path, typer.Argument(help="JSONL with custom_id and response; - reads stdin.")],
    solver: OneSolver,
    dose: Doses = None,
    limit: Limit = None,
    study: StudyFile = None,
    as_json: AsJson = False,
) -> None:
    """Take the answers of a file of responses into the response store; what it has stands."""
    from glass_pipeline.cli.graph import Wanted
    from glass_pipeline.cli.request_files import import_responses as command

    command(Wanted(suite, (solver,), tuple(dose or ()), limit), responses, study, as_json=as_json)
