#include "core/io/import/FileRequests.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include <sys/socket.h>
#include <sys/uio.h>

namespace tendon {
namespace {

// One message each way. Request: the name. Answer: a byte, which is 0 with a descriptor, or an ErrorCode plus 1 with
// the error's text.
constexpr std::size_t kMaxNameBytes = 4096;
constexpr std::size_t kMaxAnswerBytes = 8192;

struct Message
{
    explicit Message(std::span<char> bytes) : part{bytes.data(), bytes.size()}
    {
        header.msg_iov = &part;
        header.msg_iovlen = 1;
    }
    void makeRoomForDescriptor()
    {
        header.msg_control = control.data();
        header.msg_controllen = control.size();
    }

    iovec part;
    msghdr header{};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
};

void sendAnswer(int socket, const Result<Descriptor>& file)
{
    std::string text(1, file ? '\0' : static_cast<char>(static_cast<int>(file.error().code) + 1));
    if (!file) text += file.error().text().substr(0, kMaxAnswerBytes - 1);
    Message message(text);
    if (file) {
        message.makeRoomForDescriptor();
        cmsghdr* rights = CMSG_FIRSTHDR(&message.header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof(int));
        const int value = file->get();
        std::memcpy(CMSG_DATA(rights), &value, sizeof value);
    }
    static_cast<void>(
        ::sendmsg(socket, &message.header, MSG_NOSIGNAL | MSG_DONTWAIT)); // a child that does not listen gets none
}

Error noAnswer() { return {ErrorCode::Internal, "the file could not be asked for", ""}; }

} // namespace

Result<Descriptor> requestFile(int socket, std::string_view uri)
{
    if (uri.size() > kMaxNameBytes) return Error{ErrorCode::InvalidArgument, "the name of a file is too long", ""};
    std::string name(uri.empty() ? std::string_view("\0", 1) : uri); // an empty message would read as the end
    Message request(name);
    if (::sendmsg(socket, &request.header, MSG_NOSIGNAL) < 0) return noAnswer();

    std::string text(kMaxAnswerBytes, '\0');
    Message answer(text);
    answer.makeRoomForDescriptor();
    ssize_t count = 0;
    do count = ::recvmsg(socket, &answer.header, 0);
    while (count < 0 && errno == EINTR);
    if (count < 1) return noAnswer();
    if (text[0] != '\0')
        return Error{static_cast<ErrorCode>(text[0] - 1), text.substr(1, static_cast<std::size_t>(count) - 1), ""};
    const cmsghdr* rights = CMSG_FIRSTHDR(&answer.header);
    if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return noAnswer();
    int value = -1;
    std::memcpy(&value, CMSG_DATA(rights), sizeof value);
    return Descriptor(value);
}

bool answerRequest(int socket, const OpenCompanion& open)
{
    std::string name(kMaxNameBytes, '\0');
    Message request(name); // no room for descriptors: the kernel closes what a child may send
    const ssize_t count = ::recvmsg(socket, &request.header, MSG_DONTWAIT);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    name.resize(static_cast<std::size_t>(count));
    sendAnswer(socket, open(name));
    return true;
}

} // namespace tendon
