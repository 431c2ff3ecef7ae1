// Who asks: every read and write of the store takes one, and only the store makes them.
public import InterviewKits

/// A member on the way through a request: of which account, in which role, with which token. It is made from a token
/// (`AccessTable`), or while no token exists; there is no other way to ask the store for anything.
public struct Caller: Hashable, Sendable {
  public let accountID: ItemID
  public let memberID: ItemID
  public let role: Role
  /// Nil for who has none: whoever can connect while no token exists, the command line, and the service itself.
  public let tokenID: ItemID?
  /// True for whoever can connect while no token exists: what he writes is refused as soon as one does.
  public let isOpen: Bool
  /// From where; nil for a Unix socket and the command line.
  public private(set) var address: String?

  init(
    accountID: ItemID, memberID: ItemID, role: Role = .admin, tokenID: ItemID? = nil, isOpen: Bool = false,
    address: String? = nil
  ) {
    (self.accountID, self.memberID, self.role) = (accountID, memberID, role)
    (self.tokenID, self.isOpen, self.address) = (tokenID, isOpen, address)
  }

  /// The same, asking from an address.
  public func from(_ address: String?) -> Caller {
    var caller = self
    caller.address = address
    return caller
  }

  /// Whether this is nobody's token, so that other accounts may be named.
  public var isBuiltIn: Bool { tokenID == nil }

  /// The same acting in another account.
  /// - Precondition: `isBuiltIn`.
  public func acting(in account: ItemID) -> Caller {
    precondition(isBuiltIn, "a member stays in its account")
    return Caller(accountID: account, memberID: memberID, role: role, isOpen: isOpen, address: address)
  }

  /// The service itself in the caller's account: for what is computed ahead, and shown to nobody who does not ask as himself.
  public var service: Caller { Store.service.acting(in: accountID) }

  func key(_ id: ItemID) -> RowKey { RowKey(accountID: accountID, id: id) }
}
