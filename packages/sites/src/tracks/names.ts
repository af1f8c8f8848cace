export const TRACK_KIND = "site-track";
export const CHANGE_KIND = "site-change";
