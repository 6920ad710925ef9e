import type { Problem } from '../../machines/model/problem.ts';
import { textOf } from './body.ts';
import { parsed, refusalIn } from './json.ts';
import { httpProblem, malformed, problemOfFailure, raise } from './problem.ts';
import { problemOfRefusal, stableWord, type Refusal } from './refusal.ts';
import { numberIn, textIn, type XmlNode } from './xml-node.ts';
import type { XmlReading } from './xml-reader.ts';

/** The parser is a chunk of its own, so that the first page does not wait for it. */
const loadReader = async () => {
  try {
    return await import('./xml-reader.ts');
  } catch (error) {
    return raise(problemOfFailure(error));
  }
};

/** The error document that an XML answer is, or null. */
const refusalOf = (root: XmlNode): Refusal | null => {
  if (root.name !== 'error') return null;
  const status = textIn(root, 'status') ?? '';
  // Whatever else the document says, this Status means the store (specification section 8).
  const code = stableWord(status) === 'invalid' ? 'invalid' : stableWord(textIn(root, 'code') ?? status);
  return { status: numberIn(root, 'statuscode') ?? null, code: code || 'error', message: textIn(root, 'message') ?? '' };
};

const largestError = 64 * 1024;

const refusalInText = async (text: string): Promise<Refusal | null> => {
  if (!text.trimStart().startsWith('<')) return refusalIn(parsed(text));
  const { readXml } = await loadReader();
  return refusalOf(await readXml('error', new Response(text)));
};

/**
 * What an answer outside 200 to 299 means: its error document when it brings one with a word in it, else
 * `HTTP Error: {status}`. Never rejects.
 */
export const problemOfAnswer = async (response: Response): Promise<Problem> => {
  const { status } = response;
  try {
    const refusal = await refusalInText(await textOf('error', response, largestError));
    if (refusal?.code) return problemOfRefusal(refusal, status);
  } catch {
    // A page of some proxy, or a torn answer: the status alone speaks.
  }
  return status === 401 ? { kind: 'unauthorized' } : httpProblem(status);
};

/**
 * The root of an XML answer.
 * @param expected the root's name in lower case, so that some other page is not taken for an empty list.
 * @throws Problem as the error catalogue has it.
 */
export const xmlAnswer = async (
  call: string,
  sending: Promise<{ response: Response }>,
  expected: string,
  reading?: XmlReading,
): Promise<XmlNode> => {
  // The parser comes while the answer is on its way.
  const [{ response }, { readXml }] = await Promise.all([sending, loadReader()]);
  const root = await readXml(call, response, reading);
  const refusal = refusalOf(root);
  if (refusal) return raise(problemOfRefusal(refusal, response.status));
  return root.name === expected ? root : raise(malformed(call, '', `a ${root.name} came in place of ${expected}`));
};
