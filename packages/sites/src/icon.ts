/** A globe, on the dashboard's grid of 16. */
export const SITES_ICON = "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM2 8h12M8 2c-3.5 3.6-3.5 8.4 0 12 3.5-3.6 3.5-8.4 0-12z";
