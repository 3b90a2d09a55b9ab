#include "core/scene/Clip.h"
#include "tests/support/TestProgram.h"

#include <map>
#include <random>

using namespace tendon;

class TestKeyList : public QObject
{
    Q_OBJECT

private slots:
    void behavesAsASortedMap()
    {
        std::mt19937 random(3);
        std::uniform_int_distribution<int> time(0, 5000), dice(0, 2);
        KeyList keys;
        std::map<std::int64_t, double> reference;
        for (int i = 0; i < 20'000; ++i) {
            const std::int64_t at = time(random);
            if (dice(random) != 0) {
                keys.insertOrReplace({.time = {at}, .value = {static_cast<double>(i)}});
                reference[at] = i;
            } else {
                QCOMPARE(keys.erase({at}), reference.erase(at) == 1);
            }
        }
        QCOMPARE(keys.size(), reference.size());
        std::size_t index = 0;
        for (const auto& [at, value] : reference) {
            QCOMPARE(keys[index].time.ticks, at);
            QCOMPARE(keys[index].value[0], value);
            QCOMPARE(keys.countUpTo({at}), ++index);
        }
        QVERIFY(keys == KeyList(keys.toVector()));
    }

    void editingACopyLeavesTheOriginalAlone()
    {
        std::vector<Key> many(1000);
        for (std::size_t i = 0; i < many.size(); ++i) many[i].time.ticks = static_cast<std::int64_t>(i);
        const KeyList original(many);
        KeyList copy = original;
        copy.insertOrReplace({.time = {500}, .value = {7}});
        QCOMPARE(original.at({500})->value[0], 0.0);
        QCOMPARE(copy.at({500})->value[0], 7.0);
        QVERIFY(!(copy == original));
    }

    void ofTwoKeysAtOneTimeTheLastOneGivenStays()
    {
        const KeyList keys({{.time = {5}, .value = {1}}, {.time = {2}, .value = {2}}, {.time = {5}, .value = {3}}});
        QCOMPARE(keys.size(), 2u);
        QCOMPARE(keys.back().value[0], 3.0);
    }
};

TENDON_TEST(TestKeyList)
#include "tst_key_list.moc"
