# The whole story by the generated client alone; prints what it found and what it should have found, a line each.

import json
import sys

from interviewkit_generated import AuthenticatedClient, Client
from interviewkit_generated.api.access import create_token, read_me
from interviewkit_generated.api.evaluations import (
    clear_answer, create_evaluation, patch_answers, put_answer, read_answer, read_evaluation, reopen_evaluation,
    submit_evaluation,
)  # fmt: skip
from interviewkit_generated.api.heights import measure, put_profile, read_evaluation_layout
from interviewkit_generated.api.kits import create_kit, delete_kit, list_kits, patch_kit, put_kit, read_kit, restore_kit
from interviewkit_generated.api.sections_and_questions import create_question, move_question
from interviewkit_generated.api.service import read_changes
from interviewkit_generated.models import (
    AnswerBatch, AnswerContent, AnswerOperation, AnswerWritten, KitPatch, MeasuredText, MeasureRequest, NewEvaluation, NewKit,
    NewPerson, NewQuestion, NewToken, Problem, ProfileDocument, QuestionMove, QuestionOfNewKit, QuestionType, Reopening, Role,
    SectionOfNewKit, Submission, WrittenKit,
)  # fmt: skip

MARKDOWN = b"# Imported\n\n## Section\n\n- What is new?\n  - And then?\n"


def told(name, found, wanted):
    print(json.dumps([name, found, wanted], default=str))


def kits(client):
    questions = [
        QuestionOfNewKit(id="why", type_=QuestionType.LONGTEXT, text="Why?", required=True),
        QuestionOfNewKit(id="hire", type_=QuestionType.RATING, text="Hire?", scale="fourPoint"),
    ]
    kit = NewKit(id="k", title="By a machine", language="en", sections=[SectionOfNewKit(id="s", title="S", questions=questions)])
    made = create_kit.sync_detailed(client=client, body=kit, idempotency_key="make")
    told("a kit is created", [made.status_code, made.headers["etag"], made.parsed.sections[0].questions[0].id], [201, '"1"', "why"])
    again = create_kit.sync_detailed(client=client, body=kit, idempotency_key="make")
    told("and not twice under one key", [again.status_code, again.parsed.id, len(list_kits.sync(client=client).items)], [201, "k", 1])
    # The generator can't tell two types of text from one another: its own HTTP client sends them.
    reply = client.get_httpx_client().post("/v1/kits", content=MARKDOWN, headers={"Content-Type": "text/markdown"})
    imported = WrittenKit.from_dict(reply.json())
    told("a list is imported", [reply.status_code, imported.title, imported.import_report.questions, imported.import_report.follow_ups], [201, "Imported", 1, 1])
    patched = patch_kit.sync_detailed("k", client=client, body=KitPatch(title="Patched"), if_match=made.headers["etag"])
    told("a kit is patched", [patched.status_code, patched.parsed.title, patched.parsed.revision], [200, "Patched", 2])
    stale = put_kit.sync_detailed("k", client=client, body=kit, if_match='"1"')
    told("a stale write is a problem", [stale.status_code, stale.parsed.code, stale.parsed.status], [412, "preconditionFailed", 412])
    question = NewQuestion(id="more", type_=QuestionType.YESNO, text="More?", section_id="s", after=None)
    made = create_question.sync_detailed("k", client=client, body=question)
    told("a question is made first", [made.status_code, [one.id for one in read_kit.sync("k", client=client).sections[0].questions]], [201, ["more", "why", "hire"]])
    moved = move_question.sync_detailed("k", "more", client=client, body=QuestionMove(after="why"), if_match=made.headers["etag"])
    told("and moved", [moved.status_code, [one.id for one in read_kit.sync("k", client=client).sections[0].questions]], [200, ["why", "more", "hire"]])


def answers(client):
    opened = create_evaluation.sync_detailed(client=client, body=NewEvaluation(id="e", kit_id="k", candidate=NewPerson(id="c", name="Kim")))
    told("an evaluation is opened", [opened.status_code, opened.parsed.status, opened.parsed.progress.missing], [201, "draft", 1])
    early = submit_evaluation.sync_detailed("e", client=client, body=Submission())
    told("a submit too early says what is missing", [early.status_code, early.parsed.code, [one.item_id for one in early.parsed.errors]], [422, "missingAnswers", ["why"]])
    before = read_evaluation_layout.sync("e", client=client, profile="ios", width=375)
    told("rows have heights", [[row.id for row in before.rows], before.rows[1].height > 0], [["s", "why", "more", "hire"], True])
    text = "Because it grows over several lines. " * 8
    written = put_answer.sync_detailed("e", "why", client=client, body=AnswerContent(value=text), profile="ios", width=[375])
    delta = written.parsed.layouts[0]
    told("an answer is written", [written.status_code, isinstance(written.parsed, AnswerWritten), written.parsed.answer.revision], [201, True, 1])
    told("and says which row grew", [[one.id for one in delta.changed], delta.changed[0].height_delta > 0, delta.fingerprint], [["why"], True, before.fingerprint])
    after = read_evaluation_layout.sync("e", client=client, profile="ios", width=375)
    told("as the layout does", [after.rows[1].height, after.content_height], [delta.changed[0].height, delta.content_height])
    bare = put_answer.sync_detailed("e", "why", client=client, body=AnswerContent(value="blind"))
    told("nobody overwrites blindly", [bare.status_code, bare.parsed.code], [428, "preconditionRequired"])
    stale = put_answer.sync_detailed("e", "why", client=client, body=AnswerContent(value="stale"), if_match='"9"')
    told("a conflict holds both values", [stale.status_code, stale.parsed.current["value"], stale.parsed.sent["value"]], [412, text, "stale"])
    seen = put_answer.sync_detailed("e", "why", client=client, body=AnswerContent(value="Short."), if_match=written.headers["etag"])
    told("with what was seen it is written", [seen.status_code, seen.parsed.value, seen.parsed.revision], [200, "Short.", 2])
    operations = [
        AnswerOperation(item_id="hire", operation_id="1", value="fourPoint.yes", if_revision=0),
        AnswerOperation(item_id="more", operation_id="2", value="perhaps", if_revision=0),
    ]
    batch = patch_answers.sync("e", client=client, body=AnswerBatch(operations=operations))
    told("each of a batch has its outcome", [[one.status, one.problem.code if one.problem else None] for one in batch.results], [[201, None], [422, "invalidDocument"]])
    told("answers are read", read_answer.sync("e", "hire", client=client).value, "fourPoint.yes")
    cleared = clear_answer.sync_detailed("e", "hire", client=client, if_match='"1"')
    told("and cleared", [cleared.status_code, read_answer.sync("e", "hire", client=client).value], [204, None])
    sent = submit_evaluation.sync_detailed("e", client=client, body=Submission())
    told("it is submitted", [sent.status_code, sent.parsed.status], [200, "submitted"])
    late = put_answer.sync_detailed("e", "why", client=client, body=AnswerContent(value="late"), if_match="*")
    told("and frozen", [late.status_code, late.parsed.code], [409, "evaluationNotDraft"])
    told("until it is opened again", reopen_evaluation.sync("e", client=client, body=Reopening(reason="A word.")).status, "draft")
    told("what was answered is there", read_evaluation.sync("e", client=client).answers["why"].value, "Short.")


def others(client):
    kinds, cursor = [], None
    while page := read_changes.sync(client=client, limit=5, **({"since": cursor} if cursor else {})):
        kinds += [change.kind.value for change in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    told("the feed has it all in order", [kinds[0], kinds.count("answer.changed"), kinds[-1]], ["kit.created", 4, "evaluation.reopened"])
    body = MeasureRequest(profile="ios", width=343, texts=[MeasuredText(id="a", text="Hello")])
    told("texts are measured", [(one.id, one.lines) for one in measure.sync(client=client, body=body).results], [["a", 1]])
    made = put_profile.sync_detailed("own", client=client, body=ProfileDocument(extends="ios@1"))
    told("a profile is made", [made.status_code, made.parsed.id], [201, "own@1"])
    gone = delete_kit.sync_detailed("k", client=client, if_match="*")
    missing = read_kit.sync_detailed("k", client=client)
    told("what is deleted is not found", [gone.status_code, missing.status_code, type(missing.parsed) is Problem, missing.parsed.code], [204, 404, True, "notFound"])
    told("and comes back", restore_kit.sync("k", client=client).id, "k")


def access(client, address):
    token = create_token.sync(client=client, body=NewToken(name="boss", role=Role.ADMIN)).token
    told("without a token nobody is told anything", read_kit.sync("k", client=client).code, "unauthorized")
    me = read_me.sync(client=AuthenticatedClient(base_url=address, token=token))
    told("with one it is told who asks", [me.id, me.role.value, me.open_], ["boss", "admin", False])


def main(address):
    client = Client(base_url=address)
    for part in (kits, answers, others):
        part(client)
    access(client, address)


main(sys.argv[1])
