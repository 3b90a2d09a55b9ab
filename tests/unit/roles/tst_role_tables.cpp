#include "core/io/import/ModelImport.h"
#include "core/roles/Roles.h"
#include "tests/support/TestProgram.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace tendon;

/// The tables of humanoid bones in VRM files.
class TestRoleTables : public QObject
{
    Q_OBJECT

private slots:
    void aTableInTheFileDecidesRoles_data()
    {
        QTest::addColumn<QByteArray>("extensions");
        QTest::newRow("VRM 1") << QByteArray(R"("VRMC_vrm": {"specVersion": "1.0", "humanoid": {"humanBones": {
            "hips": {"node": 0}, "leftThumbMetacarpal": {"node": 1}, "leftThumbProximal": {"node": 2}}}})");
        QTest::newRow("VRM animation") << QByteArray(R"("VRMC_vrm_animation": {"humanoid": {"humanBones": {
            "hips": {"node": 0}, "leftThumbMetacarpal": {"node": 1}, "leftThumbProximal": {"node": 2}}}})");
        QTest::newRow("VRM 0 calls thumbs otherwise") << QByteArray(R"("VRM": {"humanoid": {"humanBones": [
            {"bone": "hips", "node": 0}, {"bone": "leftThumbProximal", "node": 1}, {"bone": "leftThumbIntermediate", "node": 2}]}})");
        QTest::newRow("what does not hold together is left out") << QByteArray(R"("VRM": {"humanoid": {"humanBones": [
            {"bone": "hips", "node": 0}, {"bone": "spine", "node": 0}, {"bone": "head", "node": 99}, {"bone": "../x", "node": 2}, 7,
            {"bone": "neck"}, {"bone": 3, "node": 1}, {"bone": "leftThumbProximal", "node": 1},
            {"bone": "leftThumbIntermediate", "node": 2}]}})");
    }
    void aTableInTheFileDecidesRoles()
    {
        QFETCH(QByteArray, extensions);
        QTemporaryDir folder;
        QFile file(folder.filePath("a.gltf"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [
            {"name": "a", "children": [1]}, {"name": "b", "children": [2], "translation": [0, 1, 0]},
            {"name": "c", "translation": [0, 1, 0]}], "extensions": {)" +
                   extensions + "}}");
        file.close();
        const auto model = importModel(file.fileName().toStdString());
        QVERIFY2(model, model ? "" : model.error().text().c_str());
        const Scene& scene = model->scene;
        QCOMPARE(scene.roles->size(), std::size_t{3});
        QCOMPARE(jointOf(*scene.roles, "hips"), *scene.jointNamed("a"));
        QCOMPARE(jointOf(*scene.roles, "leftThumbMetacarpal"), *scene.jointNamed("b"));
        QCOMPARE(jointOf(*scene.roles, "leftThumbProximal"), *scene.jointNamed("c"));
        QVERIFY(guessRoles(scene).find("hips")->isGiven);
    }
};

TENDON_TEST(TestRoleTables)
#include "tst_role_tables.moc"
