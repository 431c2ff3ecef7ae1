// Viewports from queries, and every way in which they are refused.

import InterviewKits
import RowLayout
import Testing

struct ViewportQueryTests {
  @Test func `a viewport takes its defaults from the profile and the kit`() throws {
    let viewport = try Fixture.viewport("profile=ios&width=375", language: "ko_KR")
    #expect(viewport.profile.name == "ios")
    #expect(viewport.width == 375)
    #expect(viewport.textSize == .contentSize("large"))
    #expect(viewport.scale == 3)
    #expect(viewport.locale == "ko-KR")
    let android = try Fixture.viewport("profile=android@1&width=411.428&fontScale=1.3&scale=2&locale=ja&limit=5")
    #expect(android.textSize == .fontScale(1.3))
    #expect(android.width == 411.428)
    #expect(android.scale == 2)
    #expect(android.locale == "ja")
    #expect(try Fixture.viewport("profile=web&width=600", language: "?").locale == "en")
  }

  @Test func `two widths make two viewports`() throws {
    let viewports = try Fixture.viewports("profile=ios&width=375,667&contentSize=ax5")
    #expect(viewports.map(\.width) == [375, 667])
    #expect(viewports.map(\.textSize) == [.contentSize("AX5"), .contentSize("AX5")])
  }

  @Test(arguments: [
    ("profile=ios&width=0", ["invalidWidth"]), ("profile=ios&width=-10", ["invalidWidth"]),
    ("profile=ios&width=NaN", ["invalidWidth"]), ("profile=ios&width=1e308", ["invalidWidth"]),
    ("profile=ios&width=1e999", ["invalidWidth"]), ("profile=ios&width=inf", ["invalidWidth"]),
    ("profile=ios&width=8", ["invalidWidth"]), ("profile=ios&width=64", ["invalidWidth"]),
    ("profile=ios&width=", ["invalidWidth"]), ("profile=ios&width=375,", ["invalidWidth"]),
    ("profile=ios&width=0x40", ["invalidWidth"]), ("profile=ios&width=+375", ["invalidWidth"]),
    ("profile=ios&width= 375", ["invalidWidth"]), ("profile=ios&width=375,0,NaN", ["invalidWidth", "invalidWidth"]),
    ("profile=ios&width=1,2,3,4,5", ["tooManyWidths"]), ("profile=ios", ["missingParameter"]),
    ("width=375", ["missingParameter"]), ("profile=symbian&width=375", ["unknownProfile"]),
    ("profile=ios@99&width=375", ["unknownProfile"]), ("profile=base&width=375", ["unknownProfile"]),
    ("profile=ios&width=375&contentSize=huge", ["unknownContentSize"]),
    ("profile=ios&width=375&fontScale=1", ["inapplicableParameter"]),
    ("profile=android&width=375&contentSize=large", ["inapplicableParameter"]),
    ("profile=android&width=375&fontScale=0", ["invalidFontScale"]),
    ("profile=android&width=375&fontScale=nan", ["invalidFontScale"]),
    ("profile=android&width=375&fontScale=99", ["invalidFontScale"]),
    ("profile=ios&width=375&scale=0", ["invalidScale"]), ("profile=ios&width=375&scale=-2", ["invalidScale"]),
    ("profile=ios&width=375&scale=NaN", ["invalidScale"]), ("profile=ios&width=375&scale=1e9", ["invalidScale"]),
    ("profile=ios&width=375&locale=", ["invalidLocale"]), ("profile=ios&width=375&locale=k", ["invalidLocale"]),
    ("profile=ios&width=375&locale=ko;DROP", ["invalidLocale"]),
    ("profile=ios&width=375&width=400", ["doubledParameter"]),
    ("profile=x&width=0&scale=x&locale=%", ["unknownProfile", "invalidScale", "invalidLocale", "invalidWidth"]),
  ])
  func `everything wrong with a viewport is told at once`(query: String, codes: [String]) throws {
    do {
      _ = try Fixture.viewports(query)
      Testing.Issue.record("\(query) was taken")
    } catch let error as InvalidViewport {
      #expect(error.issues.map(\.code) == codes)
      #expect(error.issues.allSatisfy { $0.pointer.hasPrefix("/query/") })
    }
  }

  @Test func `the narrowest width leaves room for text`() throws {
    let profile = try #require(try Fixture.profiles.get().profile("ios"))
    let smallest = profile.horizontalInsets
    #expect(throws: InvalidViewport.self) { try Fixture.viewport("profile=ios&width=\(smallest)") }
    let viewport = try Fixture.viewport("profile=ios&width=\(smallest + 0.5)")
    let layout = try Fixture.engine.get().layout(of: Fixture.allTypes, viewport: viewport)
    #expect(layout.rows.count == 14)
  }

  @Test func `a query without viewport parameters asks for no layout`() {
    #expect(!ViewportQuery.isPresent(in: Fixture.pairs("limit=5&include=kit")))
    #expect(ViewportQuery.isPresent(in: Fixture.pairs("include=kit&width=375")))
  }
}
