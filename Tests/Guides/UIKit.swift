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

public final class UITextView: UIView {
  public var text: String! = ""
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
  public func performBatchUpdates(_ updates: (() -> Void)?) {
    calls.append("update")
    updates?()
  }
  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    if !paths.isEmpty { calls.append("delete \(paths.map(\.row))") }
  }
  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    if !paths.isEmpty { calls.append("insert \(paths.map(\.row))") }
  }
  public func reloadData() { calls.append("reload") }
  public func reloadRows(at paths: [IndexPath], with animation: RowAnimation) { calls.append("reload rows") }
}

/// A cell that the stand-in can make: the driver says so of the guide's.
@MainActor public protocol Reusable { static func make() -> UITableViewCell }

@MainActor open class UITableViewController {
  public let tableView = UITableView()
  public init(style: UITableView.Style) {}
  public required init?(coder: NSCoder) {}
  open func viewDidLoad() {}
  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(_ tableView: UITableView, heightForRowAt indexPath: IndexPath) -> CGFloat { 0 }
  open func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell()
  }
}
