// A stand-in for the parts of UIKit that docs/ios.md uses: it compiles on Linux, and writes down what it was asked.

public import Foundation

public struct UIEdgeInsets: Sendable {
  public var top, left, bottom, right: CGFloat
  public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
    (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
  }
}

extension CGRect {
  public func inset(by insets: UIEdgeInsets) -> CGRect {
    CGRect(
      x: minX + insets.left, y: minY + insets.top, width: width - insets.left - insets.right,
      height: height - insets.top - insets.bottom)
  }
}

extension IndexPath {
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }
  public var row: Int { self[1] }
}

@MainActor open class UIView {
  public var frame = CGRect.zero
  public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
  public var isHidden = false
  public var isFirstResponder = false
  public init() {}
  open func layoutSubviews() {}
  public private(set) var subviews: [UIView] = []
  public func addSubview(_ view: UIView) { subviews.append(view) }
  open func sizeThatFits(_ size: CGSize) -> CGSize { .zero }
  public static func performWithoutAnimation(_ actions: () -> Void) { actions() }
}

public final class UILabel: UIView {
  public var text: String?
  public var numberOfLines = 1
  public override func sizeThatFits(_ size: CGSize) -> CGSize { CGSize(width: size.width, height: 20) }
}

@MainActor public protocol UITextViewDelegate: AnyObject {
  func textViewDidChange(_ textView: UITextView)
}

public final class UITextRange {
  public init() {}
}

public final class UITextView: UIView {
  /// Setting it moves the caret behind it.
  public var text: String! = "" {
    didSet { selectedRange = NSRange(location: text.utf16.count, length: 0) }
  }
  public var selectedRange = NSRange(location: 0, length: 0)
  public var markedTextRange: UITextRange?
  public var isScrollEnabled = true
  public weak var delegate: (any UITextViewDelegate)?
  /// As if thirty characters made a line.
  public override func sizeThatFits(_ size: CGSize) -> CGSize {
    CGSize(width: size.width, height: 16 + 20 * CGFloat(text.utf8.count / 30 + 1))
  }
}

open class UITableViewCell: UIView {
  public enum CellStyle: Sendable { case `default` }
  public let contentView = UIView()
  public init(style: CellStyle = .default, reuseIdentifier: String? = nil) { super.init() }
  public required init?(coder: NSCoder) { nil }
}

public final class UITableView: UIView {
  public enum Style: Sendable { case plain }
  public enum SeparatorStyle: Sendable { case none, singleLine }
  public enum RowAnimation: Sendable { case none }
  public var estimatedRowHeight: CGFloat = -1
  public var separatorStyle = SeparatorStyle.singleLine
  public var contentOffset = CGPoint.zero
  public var adjustedContentInset = UIEdgeInsets()
  /// What was asked for, in order.
  public private(set) var calls: [String] = []
  private var kinds: [String: UITableViewCell.Type] = [:]
  private var made: [IndexPath: UITableViewCell] = [:]

  public func register(_ kind: UITableViewCell.Type, forCellReuseIdentifier name: String) { kinds[name] = kind }
  public func dequeueReusableCell(withIdentifier name: String, for path: IndexPath) -> UITableViewCell {
    guard let kind = kinds[name] as? any Reusable.Type else { preconditionFailure("no cell is registered as \(name)") }
    let cell = kind.make()
    made[path] = cell
    return cell
  }
  /// The cell that was made last for a row.
  public func cellForRow(at path: IndexPath) -> UITableViewCell? { made[path] }
  private func move(from row: Int, by difference: Int) {
    made = Dictionary(
      uniqueKeysWithValues: made.map { path, cell in
        (path.row < row ? path : IndexPath(row: path.row + difference, section: 0), cell)
      })
  }
  public func performBatchUpdates(_ updates: (() -> Void)?) {
    calls.append("update")
    updates?()
  }
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    if !paths.isEmpty { calls.append("delete \(paths.map(\.row))") }
    for row in paths.map(\.row).sorted(by: >) {
      made[IndexPath(row: row, section: 0)] = nil
      move(from: row, by: -1)
    }
  }
  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    if !paths.isEmpty { calls.append("insert \(paths.map(\.row))") }
    for row in paths.map(\.row).sorted() { move(from: row, by: 1) }
  }
  public func reloadData() { calls.append("reload") }
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) { calls.append("reload rows") }
}

/// A cell that the stand-in can make: the driver says so of the guide's.
@MainActor public protocol Reusable { static func make() -> UITableViewCell }

@MainActor open class UIViewController {
  public internal(set) var presentedViewController: UIViewController?
  public init() {}
  public func present(_ controller: UIViewController, animated: Bool) { presentedViewController = controller }
  open func viewDidLoad() {}
}

@MainActor public final class UIAlertAction {
  public enum Style: Sendable { case `default` }
  public let title: String?
  public let handler: ((UIAlertAction) -> Void)?
  public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
    (self.title, self.handler) = (title, handler)
  }
}

public final class UIAlertController: UIViewController {
  public enum Style: Sendable { case alert }
  public let message: String?
  public private(set) var actions: [UIAlertAction] = []
  public init(title: String?, message: String?, preferredStyle: Style) { self.message = message }
  public func addAction(_ action: UIAlertAction) { actions.append(action) }
}

open class UITableViewController: UIViewController {
  public let tableView = UITableView()
  public init(style: UITableView.Style) { super.init() }
  public required init?(coder: NSCoder) { nil }
  /// As if somebody pressed a button of the alert that is shown.
  public func press(_ title: String) {
    let action = (presentedViewController as? UIAlertController)?.actions.first { $0.title == title }
    presentedViewController = nil
    if let action { action.handler?(action) }
  }
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat { 0 }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
  open func tableView(_ tableView: UITableView, willDisplay cell: UITableViewCell, forRowAt indexPath: IndexPath) {}
}
