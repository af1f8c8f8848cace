/** How much slower than a quiet one this machine is: what is promised in seconds is measured in seconds times this. */
export const TIME_FACTOR = Number(process.env["TEST_TIME_FACTOR"] ?? 1);
