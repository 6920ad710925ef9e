import type * as v from 'valibot';
import { getRefusal, readWholeXml } from './xml-response.ts';
import { readText } from './body.ts';
import { coerce } from './coerce.ts';
import { parseJsonValue, nodeToValue } from './json-node.ts';
import { validate, throwProblem, type RunCall } from './problem.ts';
import { toRefusalProblem } from './refusal.ts';

/** An answer that is only an address, as plain text. */
const PLAIN_ADDRESS = /^\s*https?:\/\/\S+\s*$/i;

/** The value of an answer: JSON, XML, or only an address as text. */
const readValue = async (call: string, response: Response): Promise<unknown> => {
  const text = await readText(call, response);
  // An empty body confirms success, without fields.
  if (text.trim() === '' && response.ok) return {};
  if (response.ok && PLAIN_ADDRESS.test(text)) return text.trim();
  if (!text.trimStart().startsWith('<')) return parseJsonValue(call, text, response.status);
  const root = await readWholeXml(call, text);
  const refusal = getRefusal(root);
  return refusal ? throwProblem(toRefusalProblem(refusal, response.status)) : nodeToValue(root);
};

/**
 * A validated JSON answer; the specification leaves open which answers are XML, so XML is read as
 * well.
 * @throws Problem of any kind, also for an error document under status 200; of a JSON document with
 * the message `JSON Error: {error}`.
 */
export const readJsonResponse = <Schema extends v.GenericSchema>(
  api: { runCall: RunCall },
  call: string,
  responsePromise: Promise<{ response: Response }>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> =>
  api.runCall(call, async () => {
    const { response } = await responsePromise;
    return validate(call, schema, coerce(schema, await readValue(call, response)));
  });
