import * as v from 'valibot';

/** The telephone number for a code, as typed: the server validates it. */
export const PhoneForm = v.object({
  phone: v.pipe(v.string(), v.trim(), v.nonEmpty('required'), v.maxLength(40, 'tooLong')),
});
export type PhoneForm = v.InferOutput<typeof PhoneForm>;

/**
 * The response to a request for a code. `sentAt` is when the text message was sent (ISO 8601) if an
 * earlier one is still valid, else null. `requestId` is the server's id of the request; empty if
 * the response has none.
 */
export type PhoneCodeRequest = { sentAt: string | null; pii: { requestId: string } };

/** A typed code with its telephone number and request id, as sent to the server. */
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
