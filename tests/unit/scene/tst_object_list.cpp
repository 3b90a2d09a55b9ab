#include "core/scene/Scene.h"
#include "tests/support/TestProgram.h"

#include <map>
#include <random>

using namespace tendon;

/// The containers whose copies share what they hold, beside those of the standard library.
class TestObjectList : public QObject
{
    Q_OBJECT

    static Joint joint(std::uint64_t id, const std::string& name)
    {
        Joint made;
        made.id = JointId{id};
        made.name = name;
        return made;
    }

    static void compare(const ObjectList<Joint>& list, const std::vector<Joint>& expected)
    {
        QCOMPARE(list.size(), expected.size());
        QVERIFY(list.toVector() == expected);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(list.placeOf(expected[i].id), i);
            const auto places = list.placesNamed(expected[i].name);
            QVERIFY(std::binary_search(places.begin(), places.end(), i));
            for (const std::size_t place : places) QCOMPARE(expected[place].name, expected[i].name);
        }
        QVERIFY(list.find(JointId{1'000'000}) == nullptr);
        QVERIFY(list.placesNamed("nobody").empty());
    }

private slots:
    void aListIsLikeAVectorAndItsCopiesStayAsTheyWere()
    {
        std::mt19937 random(5);
        const auto below = [&](std::size_t end) { return random() % end; };
        ObjectList<Joint> list;
        std::vector<Joint> expected;
        std::vector<std::pair<ObjectList<Joint>, std::vector<Joint>>> kept;
        for (std::uint64_t id = 1; id <= 700; ++id) {
            const std::string name = "joint" + std::to_string(below(400)); // some have the same
            const std::size_t place = expected.empty() ? 0 : below(expected.size());
            switch (expected.empty() ? 7 : below(8)) {
            case 0: {
                const auto isGone = [&](const Joint& each) { return each.id.value % 97 == id % 97; };
                QCOMPARE(erase_if(list, isGone), std::erase_if(expected, isGone));
                break;
            }
            case 1:
            case 2:
                list.replace(place, joint(expected[place].id.value, name));
                expected[place].name = name;
                break;
            default: list.push_back(joint(id, name)); expected.push_back(joint(id, name));
            }
            if (id % 50 == 0) kept.emplace_back(list, expected);
        }
        compare(list, expected);
        QVERIFY(list.size() > 200); // the case is not empty
        for (const auto& [copy, then] : kept) compare(copy, then);
        QVERIFY(list == ObjectList<Joint>(expected));
        list.front().name = "renamed in place";
        expected.front().name = "renamed in place";
        compare(list, expected);
        QVERIFY(!(list == kept.back().first));
    }

    /// So that a history of removals does not hold the list as often.
    void aRemovalSharesWhatIsBeforeIt()
    {
        ObjectList<Joint> list;
        for (std::uint64_t id = 1; id <= 300; ++id) list.push_back(joint(id, "joint" + std::to_string(id)));
        const ObjectList<Joint> before = list;
        list.erase({250, 251, 299});
        QCOMPARE(list.size(), std::size_t(297));
        QCOMPARE(&std::as_const(list)[0], &before[0]);
        QCOMPARE(&std::as_const(list)[223], &before[223]);
        QCOMPARE(std::as_const(list)[250].id, JointId{253});
        QCOMPARE(list.placeOf(JointId{253}), std::size_t(250));
        QVERIFY(list.placesNamed("joint251").empty());
        QCOMPARE(before.placeOf(JointId{251}), std::size_t(250));
    }

    void manyObjectsOfOneNameAreAllFound()
    {
        ObjectList<Joint> list;
        for (std::uint64_t id = 1; id <= 300; ++id) list.push_back(joint(id, "grid"));
        QCOMPARE(list.placesNamed("grid").size(), std::size_t(300));
        QCOMPARE(list.placesNamed("grid").front(), std::size_t(0));
    }

    void aMapIsLikeThatOfTheLibraryAndItsCopiesStayAsTheyWere()
    {
        std::mt19937 random(6);
        SharedMap<int, int> map;
        std::map<int, int> expected;
        std::vector<std::pair<SharedMap<int, int>, std::map<int, int>>> kept;
        for (int step = 0; step < 3000; ++step) {
            const int key = static_cast<int>(random() % 900), value = step;
            switch (random() % 4) {
            case 0: QCOMPARE(map.erase(key), expected.erase(key)); break;
            case 1: QCOMPARE(map.emplace(key, value), expected.emplace(key, value).second); break;
            default: map[key] = expected[key] = value;
            }
            if (step % 1000 == 999) {
                const auto isOdd = [](const auto& entry) { return entry.second % 5 == 1; };
                QCOMPARE(erase_if(map, isOdd), std::erase_if(expected, isOdd));
            }
            if (step % 300 == 0) kept.emplace_back(map, expected);
        }
        kept.emplace_back(map, expected);
        for (const auto& [copy, then] : kept) {
            QCOMPARE(copy.size(), then.size());
            QVERIFY(std::equal(copy.begin(), copy.end(), then.begin(), [](const auto& a, const auto& b) {
                return a.first == b.first && a.second == b.second;
            }));
            for (int key = -1; key <= 900; ++key) {
                QCOMPARE(copy.count(key), then.count(key));
                const auto found = copy.lower_bound(key);
                const auto other = then.lower_bound(key);
                QCOMPARE(found == copy.end(), other == then.end());
                if (other != then.end()) QCOMPARE(found->first, other->first);
            }
        }
        SharedMap<int, int> again; // with other chunks
        for (const auto& [key, value] : expected) again[key] = value;
        QVERIFY(again == map);
        again[1000] = 1;
        QVERIFY(!(again == map));
    }
};

TENDON_TEST(TestObjectList)
#include "tst_object_list.moc"
