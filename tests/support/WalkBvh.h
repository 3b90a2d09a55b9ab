#pragma once

#include <QString>

#include <cmath>
#include <vector>

namespace tendon::test {

/// A person of 17 joints who walks forward in centimetres at 30 frames a second, as text of a BVH file. Legs and arms
/// swing, so that every joint says by its keys where it is. `chest`: what the joint that the arms hang from is called.
inline QByteArray walkBvh(int frames, const char* chest = "Spine2")
{
    QString text = QStringLiteral("HIERARCHY\n");
    const QString turns = QStringLiteral("CHANNELS 3 Zrotation Xrotation Yrotation\n");
    const auto open = [&](const QString& name, const char* offset, bool isRoot = false) {
        text += QStringLiteral("%1 %2\n{\nOFFSET %3\n").arg(isRoot ? "ROOT" : "JOINT", name, QLatin1String(offset));
        text += isRoot ? QStringLiteral("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n")
                       : turns;
    };
    const auto end = [&](const char* offset) {
        text += QStringLiteral("End Site\n{\nOFFSET %1\n}\n").arg(QLatin1String(offset));
    };
    const auto close = [&](int count) {
        for (int i = 0; i < count; ++i) text += QStringLiteral("}\n");
    };
    open("Hips", "0 0 0", true);
    for (const bool isLeft : {true, false}) {
        const QString side = isLeft ? "Left" : "Right";
        open(side + "UpLeg", isLeft ? "9 -4 0" : "-9 -4 0");
        open(side + "Leg", "0 -42 0.5");
        open(side + "Foot", "0 -42 -2");
        end("0 -6 14");
        close(3);
    }
    open("Spine", "0 10 0");
    open(QLatin1String(chest), "0 22 0");
    open("Neck", "0 20 0");
    open("Head", "0 10 1");
    end("0 18 0");
    close(2);
    for (const bool isLeft : {true, false}) {
        const QString side = isLeft ? "Left" : "Right";
        open(side + "Shoulder", isLeft ? "4 14 0" : "-4 14 0");
        open(side + "Arm", isLeft ? "13 0 0" : "-13 0 0");
        open(side + "ForeArm", isLeft ? "27 0 0" : "-27 0 0");
        open(side + "Hand", isLeft ? "25 0 0" : "-25 0 0");
        end(isLeft ? "15 0 0" : "-15 0 0");
        close(4);
    }
    close(3);
    text += QStringLiteral("MOTION\nFrames: %1\nFrame Time: 0.0333333\n").arg(frames);
    for (int frame = 0; frame < frames; ++frame) {
        const double phase = 2 * 3.14159265358979 * frame / 30.0, swing = 25 * std::sin(phase);
        std::vector<double> values = {0, 90 + std::cos(2 * phase), 4.0 * frame, 0, 0, 0};
        const auto joint = [&](double z, double x, double y) { values.insert(values.end(), {z, x, y}); };
        for (const double side : {1.0, -1.0}) {
            joint(0, -side * swing, 0);                    // thigh
            joint(0, 20 + 15 * std::cos(phase + side), 0); // shin
            joint(0, -5, 0);                               // foot
        }
        joint(0, 3, 0);            // spine
        joint(0, 0, 0.2 * swing);  // chest
        joint(0, 0, -0.1 * swing); // neck
        joint(0, 0, -0.1 * swing); // head
        for (const double side : {1.0, -1.0}) {
            joint(0, 0, 0);                                   // shoulder
            joint(-side * 70, 0, -side * 0.6 * swing);        // upper arm: hangs down
            joint(0, 0, -side * (15 + 10 * std::sin(phase))); // forearm
            joint(0, 0, 0);                                   // hand
        }
        for (const double value : values) text += QString::number(value, 'f', 4) + ' ';
        text += '\n';
    }
    return text.toUtf8();
}

} // namespace tendon::test
