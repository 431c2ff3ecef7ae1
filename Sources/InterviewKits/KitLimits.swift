// Every limit on what a kit or an answer holds; lengths are in Unicode scalars.

public enum KitLimits {
  public static let questions = 5_000
  public static let sections = 500
  public static let optionsOfOneQuestion = 200
  public static let criteriaOfOneQuestion = 200
  public static let scales = 50
  /// How many questions may hang on each other by `visibleWhen`.
  public static let conditionDepth = 20
  public static let pointsOfOneScale = 20
  public static let titleScalars = 500
  public static let textScalars = 10_000
  public static let instructionsScalars = 20_000
  public static let nameScalars = 500
  public static let commentScalars = 20_000
  /// Why an evaluation is reopened.
  public static let reasonScalars = 2_000
  /// The default and the largest `maxLength` of a text question.
  public static let answerScalars = 20_000
  public static let largestAnswerScalars = 100_000
  public static let operationsOfOneBatch = 500
}
