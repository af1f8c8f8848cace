// Imported first in a thread of ours, where no other code listens: Node 22 would print a warning that SQLite is experimental,
// about which users of Millrace can do nothing. The contract suite runs on Node 22.

process.removeAllListeners("warning");
