import * as v from 'valibot';

/** The telephone number for a code, as typed: the server validates it. */
export const PhoneForm = v.object({
  phone: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(40, 'tooLong')),
});
export type PhoneForm = v.InferOutput<typeof PhoneForm>;

/**
 * A code that was sent. `sentAt` is when its message was sent (ISO 8601) if that was before this
 * request, else null. `requestId` is the server's id of the request; empty if the server answers
 * without one.
 */
export type PhoneCodeRequest = { sentAt: string | null; pii: { requestId: string } };

/** A code as sent to the server, with its number and its request id. */
export type TypedCode = { phone: string; code: string; requestId: string };

/** The code from a text message; customers may type separators or paste spaces with it. */
export const CodeForm = v.object({
  code: v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/[\s-]/g, '')),
    v.nonEmpty('required'),
    v.maxLength(20, 'tooLong'),
  ),
});
export type CodeForm = v.InferOutput<typeof CodeForm>;
