/** Invalid environment variables; the message has a line for each problem, with its remedy. */
export class BadSetting extends Error {}
