import type * as v from 'valibot';
import { refusalOf, wholeXml } from './answer.ts';
import { textOf } from './body.ts';
import { fitted } from './fit.ts';
import { valueInJson, valueOfNode } from './json-node.ts';
import { checked, raise, type RunCall } from './problem.ts';
import { problemOfRefusal } from './refusal.ts';

/** An answer that is no more than an address, as a plain text. */
const address = /^\s*https?:\/\/\S+\s*$/i;

/** The value of an answer, whichever of the two formats it came in. */
const valueOf = async (call: string, response: Response): Promise<unknown> => {
  const text = await textOf(call, response);
  // An answer without a body says that it is done, and leaves out its fields.
  if (text.trim() === '' && response.ok) return {};
  if (response.ok && address.test(text)) return text.trim();
  if (!text.trimStart().startsWith('<')) return valueInJson(call, text, response.status);
  const root = await wholeXml(call, text);
  const refusal = refusalOf(root);
  return refusal ? raise(problemOfRefusal(refusal, response.status)) : valueOfNode(root);
};

/**
 * A JSON answer, checked; the specification leaves open which answers are XML, so that is read as well.
 * @throws Problem as the error catalogue has it, `JSON Error: {error}` for an error document under status 200 included.
 */
export const jsonAnswer = <Schema extends v.GenericSchema>(
  api: { runCall: RunCall },
  call: string,
  sending: Promise<{ response: Response }>,
  schema: Schema,
): Promise<v.InferOutput<Schema>> =>
  api.runCall(call, async () => {
    const { response } = await sending;
    return checked(call, schema, fitted(schema, await valueOf(call, response)));
  });
