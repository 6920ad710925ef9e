/** Writes lines of the log; `details` are fields beside the message. */
export type Log = Record<'info' | 'error', (details: object, message: string) => void>;
