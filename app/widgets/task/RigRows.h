#pragma once

#include "app/editor/Marks.h"
#include "app/widgets/task/TaskDock.h"
#include "core/roles/Roles.h"

#include <QCheckBox>

class QComboBox;

namespace tendon::editor {

/// A limb that was found: tick, side, title, confidence, chain and reason.
class LimbRow : public TaskRow
{
    Q_OBJECT
public:
    struct Words
    {
        QString title, chain, reason, parts; ///< `parts`: what the confidence is made of
        QString noHandle = {};               ///< why it gets no handle; "" = it gets one
        bool isRefused = false;              ///< a handle was wanted, and cannot be made
        QString toDo = {};                   ///< what to do before it moves as a whole; "" = it does
    };
    LimbRow(const Words& words, RoleColour side, double confidence);

    void setTicked(bool isTicked);

signals:
    void wanted(bool isTicked, bool alsoOther); ///< `alsoOther`: Shift was held, the other side as well

private:
    QCheckBox* m_tick;
};

/// Limits of one kind of joints: tick, kind, limits, preferred angle and reason, in columns.
class LimitRow : public TaskRow
{
    Q_OBJECT
public:
    struct Words
    {
        QString kind, limits, preferred, reason, all; ///< `all`: each joint with its limits and reason, for the tip
    };
    explicit LimitRow(const Words& words);

    void setTicked(bool isTicked);
    static QWidget* header(); ///< the titles of the columns

signals:
    void wanted(bool isTicked);

private:
    QCheckBox* m_tick;
};

/// Joints of which could not be told what they are: title, reason, and what to do with them.
class UnknownRow : public TaskRow
{
    Q_OBJECT
public:
    UnknownRow(const QString& title, const QString& reason, JointUse use);

    void setUse(JointUse use);

signals:
    void wanted(tendon::JointUse use);

private:
    QComboBox* m_uses;
};

} // namespace tendon::editor
