import * as v from 'valibot';

/** The number that a code is sent to, as it is typed: the server knows what a number is. */
export const PhoneForm = v.object({
  phone: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(40, 'tooLong')),
});
export type PhoneForm = v.InferOutput<typeof PhoneForm>;

/**
 * A code that was sent. `sentAt` is the time of its message (ISO 8601) where that came before the
 * request, else null. `requestId` is what the server knows the request by; empty where a server
 * answers without one.
 */
export type CodeSent = { sentAt: string | null; pii: { requestId: string } };

/** A code as it goes to the server, with the number and the request that it was sent for. */
export type TypedCode = { phone: string; code: string; requestId: string };

/** The code out of a text message; people part it, or copy a blank with it. */
export const CodeForm = v.object({
  code: v.pipe(
    v.string(),
    v.transform((text) => text.replaceAll(/[\s-]/g, '')),
    v.nonEmpty('required'),
    v.maxLength(20, 'tooLong'),
  ),
});
export type CodeForm = v.InferOutput<typeof CodeForm>;
