// The eleventh migration: who is shown which of others' evaluations, in the order of lists.

/// A row of `in_sight` says that `viewer` sees a submitted evaluation: a member's ID, or all of a role, with a `*` that no ID
/// begins with. Lists read ranges of it, so that their time tells nothing of what is hidden; who sees what is still the
/// `Reach`'s to say. A member has rows of few kits and colleagues, so the indexes for those are the roles' alone.
let inSightSchema = """
  CREATE TABLE in_sight (
    account_id TEXT NOT NULL, viewer TEXT NOT NULL, created_at BIGINT NOT NULL, evaluation_id TEXT NOT NULL,
    kit_id TEXT NOT NULL, candidate_id TEXT NOT NULL, interviewer_id TEXT NOT NULL,
    PRIMARY KEY (account_id, viewer, created_at, evaluation_id)){clustered};
  CREATE INDEX in_sight_by_candidate ON in_sight (account_id, candidate_id, viewer, created_at, evaluation_id);
  CREATE INDEX in_sight_by_kit ON in_sight (account_id, kit_id, viewer, created_at, evaluation_id)
    WHERE viewer = '*observers' OR viewer = '*interviewers';
  CREATE INDEX in_sight_by_interviewer ON in_sight (account_id, interviewer_id, viewer, created_at, evaluation_id)
    WHERE viewer = '*observers' OR viewer = '*interviewers';

  INSERT INTO in_sight (account_id, viewer, created_at, evaluation_id, kit_id, candidate_id, interviewer_id)
  SELECT account_id, '*observers', created_at, id, kit_id, candidate_id, interviewer_id FROM evaluation
    WHERE status = 'submitted';
  INSERT INTO in_sight (account_id, viewer, created_at, evaluation_id, kit_id, candidate_id, interviewer_id)
  SELECT evaluation.account_id, '*interviewers', evaluation.created_at, evaluation.id, kit_id, candidate_id,
    interviewer_id FROM evaluation
    JOIN kit ON kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
    WHERE evaluation.status = 'submitted' AND kit.visibility = 'always';
  INSERT INTO in_sight (account_id, viewer, created_at, evaluation_id, kit_id, candidate_id, interviewer_id)
  SELECT evaluation.account_id, sight.member_id, evaluation.created_at, evaluation.id, kit_id, evaluation.candidate_id,
    interviewer_id FROM evaluation
    JOIN kit ON kit.account_id = evaluation.account_id AND kit.id = evaluation.kit_id
    JOIN sight ON sight.account_id = evaluation.account_id AND sight.candidate_id = evaluation.candidate_id
    WHERE evaluation.status = 'submitted' AND kit.visibility = 'afterOwnSubmission';
  """
