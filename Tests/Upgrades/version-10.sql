-- A small database of schema version 10, as a program of that version left it: what an upgrade begins with.
BEGIN TRANSACTION;
CREATE TABLE account (id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL) WITHOUT ROWID;
INSERT INTO account VALUES('default','Default',0);
CREATE TABLE answer (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL,
    content TEXT NOT NULL, operation_id TEXT, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL, evaluation_revision BIGINT NOT NULL DEFAULT 0, private BIGINT NOT NULL DEFAULT 0, told_revision BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, evaluation_id, item_id),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)) WITHOUT ROWID;
INSERT INTO answer VALUES('default','kim-1','old',1,'{"bool":true}',NULL,1650,'anonymous',4,0,1);
INSERT INTO answer VALUES('default','kim-1','outage',2,'{"text":"A clock ran backwards 🙂","comment":"good"}','op-2',1600,'anonymous',3,0,2);
INSERT INTO answer VALUES('default','kim-3','old',1,'{"bool":true}',NULL,1650,'noor',4,0,1);
INSERT INTO answer VALUES('default','kim-3','outage',2,'{"text":"A clock ran backwards 🙂","comment":"good"}',NULL,1600,'noor',3,0,2);
INSERT INTO answer VALUES('default','lee-1','doubt',2,'{"bool":false}',NULL,2300,'lee',4,1,0);
INSERT INTO answer VALUES('default','lee-1','pace',1,'{"point":"fourPoint.no"}',NULL,2500,'lee',6,1,0);
INSERT INTO answer VALUES('default','lee-1','plain',1,'{"text":"open"}',NULL,2100,'lee',2,0,1);
INSERT INTO answer VALUES('default','lee-1','why',2,'{"text":"said openly"}',NULL,2800,'lee',8,0,2);
INSERT INTO answer VALUES('default','lee-2','doubt',1,'{"bool":true}',NULL,2200,'lee',0,1,0);
INSERT INTO answer VALUES('default','lee-2','plain',1,'{"text":"open"}',NULL,2100,'lee',0,0,1);
CREATE TABLE answer_history (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL,
    content TEXT NOT NULL, operation_id TEXT, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL, evaluation_revision BIGINT NOT NULL DEFAULT 0, thin_at BIGINT, private BIGINT NOT NULL DEFAULT 0, told_revision BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, evaluation_id, item_id, revision),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)) WITHOUT ROWID;
INSERT INTO answer_history VALUES('default','kim-1','outage',1,'{"text":"A clock"}','op-1',1500,'anonymous',2,NULL,0,1);
INSERT INTO answer_history VALUES('default','lee-1','doubt',1,'{"bool":true}',NULL,2200,'lee',3,NULL,1,0);
INSERT INTO answer_history VALUES('default','lee-1','why',1,'{"text":"in confidence"}',NULL,2400,'lee',5,NULL,1,0);
CREATE TABLE candidate (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, name TEXT, created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    PRIMARY KEY (account_id, id)) WITHOUT ROWID;
INSERT INTO candidate VALUES('default','c-81','Kim Ji-woo',1400,1400,'anonymous');
INSERT INTO candidate VALUES('default','c-9','Choi',2000,2000,'anonymous');
CREATE TABLE change (
    account_id TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL, kit_id TEXT, evaluation_id TEXT,
    item_id TEXT, revision BIGINT NOT NULL, deleted BIGINT NOT NULL, written_at BIGINT NOT NULL,
    written_by TEXT NOT NULL, recipient_id TEXT, candidate_id TEXT, private BIGINT NOT NULL DEFAULT 0, token_id TEXT, address TEXT, told_revision BIGINT,
    PRIMARY KEY (account_id, sequence)) WITHOUT ROWID;
INSERT INTO change VALUES('default',1,'kit.created','backend',NULL,NULL,1,0,1000,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',2,'question.changed','backend',NULL,'outage',2,0,1200,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',3,'question.deleted','backend',NULL,'old',3,1,1300,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',4,'evaluation.created','backend','kim-1',NULL,1,0,1400,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',5,'answer.changed','backend','kim-1','outage',1,0,1500,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',6,'answer.changed','backend','kim-1','outage',2,0,1600,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',7,'answer.changed','backend','kim-1','old',1,0,1650,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',8,'evaluation.submitted','backend','kim-1',NULL,5,0,1700,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
INSERT INTO change VALUES('default',9,'evaluation.created','backend','kim-2',NULL,1,0,1800,'anonymous',NULL,NULL,0,NULL,NULL,NULL);
CREATE TABLE change_counter (id BIGINT NOT NULL PRIMARY KEY, sequence BIGINT NOT NULL) WITHOUT ROWID;
INSERT INTO change_counter VALUES(1,9);
CREATE TABLE evaluation (
    account_id TEXT NOT NULL, id TEXT NOT NULL, kit_id TEXT NOT NULL, kit_revision BIGINT NOT NULL,
    candidate_id TEXT NOT NULL, interviewer_id TEXT NOT NULL, interviewer_name TEXT, status TEXT NOT NULL,
    recommendation TEXT, answered BIGINT NOT NULL, required BIGINT NOT NULL, missing BIGINT NOT NULL,
    revision BIGINT NOT NULL, created_at BIGINT NOT NULL, created_by TEXT NOT NULL, updated_at BIGINT NOT NULL,
    updated_by TEXT NOT NULL, submitted_at BIGINT, submitted_by TEXT, told_revision BIGINT NOT NULL DEFAULT 0, told_at BIGINT NOT NULL DEFAULT 0, private_answers BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id),
    FOREIGN KEY (account_id, candidate_id) REFERENCES candidate (account_id, id)) WITHOUT ROWID;
INSERT INTO evaluation VALUES('default','kim-1','backend',2,'c-81','lee','Lee','submitted',NULL,2,1,0,5,1400,'anonymous',1700,'anonymous',1700,'anonymous',5,1700,0);
INSERT INTO evaluation VALUES('default','kim-2','backend',3,'c-81','park',NULL,'draft',NULL,0,1,1,1,1800,'anonymous',1800,'anonymous',NULL,NULL,1,1800,0);
INSERT INTO evaluation VALUES('default','kim-3','backend',2,'c-81','noor','Noor','submitted',NULL,2,1,0,5,1450,'noor',1750,'noor',1750,'noor',5,1750,0);
INSERT INTO evaluation VALUES('default','lee-1','quiet',2,'c-9','lee','Lee','submitted',NULL,4,0,0,9,2000,'anonymous',2900,'anonymous',2900,'lee',9,2900,2);
INSERT INTO evaluation VALUES('default','lee-2','quiet',1,'c-9','lee','Lee','submitted',NULL,2,0,0,4,2000,'anonymous',2900,'anonymous',2900,'lee',4,2900,1);
CREATE TABLE evaluation_event (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, revision BIGINT NOT NULL, kind TEXT NOT NULL, reason TEXT,
    status TEXT NOT NULL, kit_revision BIGINT NOT NULL, candidate_id TEXT NOT NULL, interviewer_id TEXT NOT NULL,
    answered BIGINT NOT NULL, required BIGINT NOT NULL, missing BIGINT NOT NULL, submitted_at BIGINT,
    written_at BIGINT NOT NULL, written_by TEXT NOT NULL, told_revision BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, evaluation_id, revision),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)) WITHOUT ROWID;
INSERT INTO evaluation_event VALUES('default','kim-1',1,'created',NULL,'draft',2,'c-81','lee',0,1,1,NULL,1400,'anonymous',1);
INSERT INTO evaluation_event VALUES('default','kim-1',5,'submitted',NULL,'submitted',2,'c-81','lee',2,1,0,1700,1700,'anonymous',5);
INSERT INTO evaluation_event VALUES('default','kim-2',1,'created',NULL,'draft',3,'c-81','park',0,1,1,NULL,1800,'anonymous',1);
INSERT INTO evaluation_event VALUES('default','kim-3',1,'created',NULL,'draft',2,'c-81','noor',0,1,1,NULL,1400,'noor',1);
INSERT INTO evaluation_event VALUES('default','kim-3',5,'submitted',NULL,'submitted',2,'c-81','noor',2,1,0,1700,1700,'noor',5);
INSERT INTO evaluation_event VALUES('default','lee-1',1,'created',NULL,'draft',1,'c-9','lee',0,0,0,NULL,2000,'lee',1);
INSERT INTO evaluation_event VALUES('default','lee-1',7,'moved',NULL,'draft',2,'c-9','lee',4,0,0,NULL,2700,'lee',7);
INSERT INTO evaluation_event VALUES('default','lee-1',9,'submitted',NULL,'submitted',2,'c-9','lee',4,0,0,2900,2900,'lee',9);
CREATE TABLE feed (id BIGINT NOT NULL PRIMARY KEY, forgotten BIGINT NOT NULL) WITHOUT ROWID;
INSERT INTO feed VALUES(1,0);
CREATE TABLE feed_life (number BIGINT NOT NULL PRIMARY KEY, epoch TEXT NOT NULL, first BIGINT NOT NULL) WITHOUT ROWID;
INSERT INTO feed_life VALUES(1,'abc123',1);
CREATE TABLE item (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, owner_id TEXT,
    deleted_revision BIGINT, deleted_at BIGINT, purged_at BIGINT,
    PRIMARY KEY (account_id, kit_id, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)) WITHOUT ROWID;
INSERT INTO item VALUES('default','backend','o1','option','pick',NULL,NULL,NULL);
INSERT INTO item VALUES('default','backend','o2','option','pick',NULL,NULL,NULL);
INSERT INTO item VALUES('default','backend','old','question',NULL,3,1300,NULL);
INSERT INTO item VALUES('default','backend','outage','question',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','backend','pick','question',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','backend','start','section',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','doubt','question',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','pace','criterion','rate',NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','plain','question',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','rate','question',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','talk','section',NULL,NULL,NULL,NULL);
INSERT INTO item VALUES('default','quiet','why','question',NULL,NULL,NULL,NULL);
CREATE TABLE kit (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, revision BIGINT NOT NULL,
    title TEXT NOT NULL, language TEXT, status TEXT NOT NULL,
    section_count BIGINT NOT NULL, question_count BIGINT NOT NULL,
    created_at BIGINT NOT NULL, created_by TEXT NOT NULL, updated_at BIGINT NOT NULL, updated_by TEXT NOT NULL,
    deleted_at BIGINT, deleted_by TEXT, visibility TEXT NOT NULL DEFAULT 'afterOwnSubmission',
    PRIMARY KEY (account_id, id)) WITHOUT ROWID;
INSERT INTO kit VALUES('default','backend',3,'Backend','en','active',1,2,1000,'anonymous',1300,'anonymous',NULL,NULL,'afterOwnSubmission');
INSERT INTO kit VALUES('default','quiet',2,'Quiet','en','active',1,4,1900,'anonymous',2600,'anonymous',NULL,NULL,'always');
CREATE TABLE kit_header (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, appeared BIGINT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, appeared),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)) WITHOUT ROWID;
INSERT INTO kit_header VALUES('default','backend',1,'{"title":"Backend","language":"en","status":"active","visibility":"afterOwnSubmission"}');
INSERT INTO kit_header VALUES('default','quiet',1,'{"title":"Quiet","language":"en","status":"active","visibility":"always"}');
CREATE TABLE kit_revision (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, revision BIGINT NOT NULL, written_at BIGINT NOT NULL,
    written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, revision),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)) WITHOUT ROWID;
INSERT INTO kit_revision VALUES('default','backend',1,1000,'anonymous');
INSERT INTO kit_revision VALUES('default','backend',2,1200,'anonymous');
INSERT INTO kit_revision VALUES('default','backend',3,1300,'anonymous');
INSERT INTO kit_revision VALUES('default','quiet',1,1900,'anonymous');
INSERT INTO kit_revision VALUES('default','quiet',2,2600,'anonymous');
CREATE TABLE lost_answer (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, item_id TEXT NOT NULL, number BIGINT NOT NULL,
    content TEXT NOT NULL, digest BIGINT NOT NULL, if_revision BIGINT NOT NULL, refused_at BIGINT NOT NULL,
    refused_by TEXT NOT NULL, private BIGINT NOT NULL DEFAULT 0, told_if_revision BIGINT NOT NULL DEFAULT -1,
    PRIMARY KEY (account_id, evaluation_id, item_id, number),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)) WITHOUT ROWID;
INSERT INTO lost_answer VALUES('default','kim-1','outage',1,'{"text":"typed elsewhere"}',7,1,1600,'anonymous',0,1);
INSERT INTO lost_answer VALUES('default','lee-1','why',1,'{"text":"lost in confidence"}',7,0,2450,'lee',1,0);
INSERT INTO lost_answer VALUES('default','lee-1','why',2,'{"text":"lost openly"}',8,1,2850,'lee',0,1);
CREATE TABLE member (
    account_id TEXT NOT NULL REFERENCES account (id), id TEXT NOT NULL, name TEXT NOT NULL, created_at BIGINT NOT NULL, role TEXT NOT NULL DEFAULT 'admin', active BIGINT NOT NULL DEFAULT 1, built_in BIGINT NOT NULL DEFAULT 0, revision BIGINT NOT NULL DEFAULT 1, updated_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account_id, id)) WITHOUT ROWID;
INSERT INTO member VALUES('default','anonymous','Anonymous',0,'admin',1,1,1,0);
INSERT INTO member VALUES('default','lee','Lee',1700,'interviewer',1,0,1,1700);
INSERT INTO member VALUES('default','noor','Noor',1700,'interviewer',1,0,1,1700);
CREATE TABLE operation (
    account_id TEXT NOT NULL, evaluation_id TEXT NOT NULL, member_id TEXT NOT NULL, operation_id TEXT NOT NULL,
    digest TEXT NOT NULL, item_id TEXT NOT NULL, revision BIGINT NOT NULL, outcome TEXT NOT NULL,
    PRIMARY KEY (account_id, evaluation_id, member_id, operation_id),
    FOREIGN KEY (account_id, evaluation_id) REFERENCES evaluation (account_id, id)) WITHOUT ROWID;
INSERT INTO operation VALUES('default','kim-1','anonymous','op-2','bb','outage',2,'changed');
CREATE TABLE profile (
    account_id TEXT NOT NULL REFERENCES account (id), name TEXT NOT NULL, version BIGINT NOT NULL,
    content TEXT NOT NULL, written_at BIGINT NOT NULL, written_by TEXT NOT NULL,
    PRIMARY KEY (account_id, name, version)) WITHOUT ROWID;
INSERT INTO profile VALUES('default','mine',1,'{"extends":"web"}',1900,'anonymous');
CREATE TABLE purged_kit (
    account_id TEXT NOT NULL, id TEXT NOT NULL, purged_at BIGINT NOT NULL, PRIMARY KEY (account_id, id)) WITHOUT ROWID;
INSERT INTO purged_kit VALUES('default','gone',500);
CREATE TABLE question (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, ended BIGINT NOT NULL, id TEXT NOT NULL, appeared BIGINT NOT NULL,
    revision BIGINT NOT NULL, section_id TEXT NOT NULL, order_key TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, ended, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)) WITHOUT ROWID;
INSERT INTO question VALUES('default','backend',2,'outage',1,1,'start','8','{"type":"longText","text":"Tell of an outage","required":true,"maxLength":20000}');
INSERT INTO question VALUES('default','backend',3,'old',1,1,'start','a','{"type":"yesNo","text":"Old?"}');
INSERT INTO question VALUES('default','backend',9223372036854775807,'outage',2,2,'start','8','{"type":"longText","text":"Tell of an outage, 한국어","required":true,"maxLength":20000}');
INSERT INTO question VALUES('default','backend',9223372036854775807,'pick',1,1,'start','c','{"type":"singleSelect","text":"Which?","options":[{"id":"o1","text":"Café"},{"id":"o2","text":"Café"}]}');
INSERT INTO question VALUES('default','quiet',2,'doubt',1,1,'talk','4','{"type":"yesNo","text":"A doubt?","private":true}');
INSERT INTO question VALUES('default','quiet',2,'rate',1,1,'talk','8','{"type":"scorecard","text":"Rate","private":true,"scale":"fourPoint","criteria":[{"id":"pace","text":"Pace"}]}');
INSERT INTO question VALUES('default','quiet',2,'why',1,1,'talk','6','{"type":"longText","text":"Why? Not \"private\":true","visibleWhen":{"questionId":"doubt","equals":true},"maxLength":20000}');
INSERT INTO question VALUES('default','quiet',9223372036854775807,'doubt',2,2,'talk','4','{"type":"yesNo","text":"A doubt?"}');
INSERT INTO question VALUES('default','quiet',9223372036854775807,'plain',1,1,'talk','a','{"type":"longText","text":"Plain, not \"private\":true","maxLength":20000}');
INSERT INTO question VALUES('default','quiet',9223372036854775807,'rate',2,2,'talk','8','{"type":"scorecard","text":"Rate","scale":"fourPoint","criteria":[{"id":"pace","text":"Pace"}]}');
INSERT INTO question VALUES('default','quiet',9223372036854775807,'why',2,2,'talk','6','{"type":"longText","text":"Why? Not \"private\":true","maxLength":20000}');
CREATE TABLE retry (
    account_id TEXT NOT NULL, member_id TEXT NOT NULL, key TEXT NOT NULL, digest TEXT NOT NULL, outcome TEXT NOT NULL,
    kit_id TEXT, evaluation_id TEXT, item_id TEXT, revision BIGINT NOT NULL, source_revision BIGINT,
    sequence BIGINT NOT NULL, recorded_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, member_id, key)) WITHOUT ROWID;
INSERT INTO retry VALUES('default','anonymous','key-1','aa','created',NULL,'kim-1',NULL,1,NULL,3,1400);
CREATE TABLE schema_migration (
    version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL) WITHOUT ROWID;
INSERT INTO schema_migration VALUES(1,'first',900);
INSERT INTO schema_migration VALUES(2,'lifecycle',900);
INSERT INTO schema_migration VALUES(3,'retries',900);
INSERT INTO schema_migration VALUES(4,'feed',900);
INSERT INTO schema_migration VALUES(5,'purge',900);
INSERT INTO schema_migration VALUES(6,'profiles',900);
INSERT INTO schema_migration VALUES(7,'conflicts',900);
INSERT INTO schema_migration VALUES(8,'access',900);
INSERT INTO schema_migration VALUES(9,'erasure',900);
INSERT INTO schema_migration VALUES(10,'confidence',900);
CREATE TABLE section (
    account_id TEXT NOT NULL, kit_id TEXT NOT NULL, ended BIGINT NOT NULL, id TEXT NOT NULL, appeared BIGINT NOT NULL,
    revision BIGINT NOT NULL, order_key TEXT NOT NULL, title TEXT NOT NULL,
    PRIMARY KEY (account_id, kit_id, ended, id),
    FOREIGN KEY (account_id, kit_id) REFERENCES kit (account_id, id)) WITHOUT ROWID;
INSERT INTO section VALUES('default','backend',9223372036854775807,'start',1,1,'8','Start');
INSERT INTO section VALUES('default','quiet',9223372036854775807,'talk',1,1,'8','Talk');
CREATE TABLE token (
  account_id TEXT NOT NULL, id TEXT NOT NULL, member_id TEXT NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL,
  created_at BIGINT NOT NULL, created_by TEXT NOT NULL, expires_at BIGINT, last_used_at BIGINT, revoked_at BIGINT,
  PRIMARY KEY (account_id, id),
  FOREIGN KEY (account_id, member_id) REFERENCES member (account_id, id)) WITHOUT ROWID;
INSERT INTO token VALUES('default','t1','lee','phone','94fd32f209709ac32d079fd41d5199b838fb006df6c57b3f3fc2f081cfaa2731',1700,'anonymous',NULL,NULL,NULL);
CREATE TABLE sight (
  account_id TEXT NOT NULL, candidate_id TEXT NOT NULL, member_id TEXT NOT NULL, opened_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, candidate_id, member_id)) WITHOUT ROWID;
INSERT INTO sight VALUES('default','c-1','lee',1800);
INSERT INTO sight VALUES('default','c-81','noor',1750);
CREATE TABLE audit (
  account_id TEXT NOT NULL, sequence BIGINT NOT NULL, kind TEXT NOT NULL, kit_id TEXT, evaluation_id TEXT,
  item_id TEXT, candidate_id TEXT, revision BIGINT NOT NULL, written_at BIGINT NOT NULL, written_by TEXT NOT NULL,
  token_id TEXT, address TEXT,
  PRIMARY KEY (account_id, sequence)) WITHOUT ROWID;
CREATE TABLE erased_candidate (
  account_id TEXT NOT NULL, id TEXT NOT NULL, erased_at BIGINT NOT NULL, erased_by TEXT NOT NULL, scrubbed_at BIGINT,
  PRIMARY KEY (account_id, id)) WITHOUT ROWID;
CREATE TABLE erased_evaluation (
  account_id TEXT NOT NULL, id TEXT NOT NULL, candidate_id TEXT NOT NULL, PRIMARY KEY (account_id, id)) WITHOUT ROWID;
CREATE INDEX kit_by_creation ON kit (account_id, created_at, id);
CREATE INDEX item_in_trash ON item (account_id, kit_id, deleted_revision) WHERE deleted_revision IS NOT NULL;
CREATE INDEX evaluation_by_creation ON evaluation (account_id, created_at, id);
CREATE INDEX evaluation_by_kit ON evaluation (account_id, kit_id, created_at, id);
CREATE INDEX evaluation_by_candidate ON evaluation (account_id, candidate_id, created_at, id);
CREATE INDEX evaluation_by_interviewer ON evaluation (account_id, interviewer_id, created_at, id);
CREATE INDEX retry_by_time ON retry (recorded_at);
CREATE INDEX answer_history_to_thin ON answer_history (thin_at) WHERE thin_at IS NOT NULL;
CREATE INDEX kit_in_trash ON kit (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX item_to_purge ON item (deleted_at) WHERE deleted_at IS NOT NULL AND purged_at IS NULL;
CREATE INDEX lost_answer_by_value ON lost_answer (
    account_id, evaluation_id, item_id, refused_by, if_revision, digest);
CREATE UNIQUE INDEX token_by_digest ON token (digest);
COMMIT;
