import type { Problem } from '../../../machines/model/problem.ts';
import { textOf } from './body.ts';
import { parsed } from './json-text.ts';
import { httpProblem, malformed, problemOfFailure, raise, type RunCall } from './problem.ts';
import { problemOfRefusal, stableWord, type Refusal } from './refusal.ts';
import { childrenOf, isJson, numberIn, textIn, type XmlNode } from './xml-node.ts';
import { readDocument } from './xml-document.ts';
import type { XmlReading } from './xml-reader.ts';

/** A part that did not come is as if the answer had not. */
const orOffline = (error: unknown) => raise(problemOfFailure(error));

/** The streaming parser is a part of its own, fetched for the first long list. */
const loadReader = () => import('./xml-reader.ts').catch(orOffline);

const loadJson = () => import('./json-node.ts').catch(orOffline);

/** The error document that an XML answer is, or null. */
export const refusalOf = (root: XmlNode): Refusal | null => {
  if (root.name !== 'error') return null;
  const status = textIn(root, 'status') ?? '';
  // Whatever else the document says, this Status means the store (specification section 8).
  const code = stableWord(status) === 'invalid' ? 'invalid' : stableWord(textIn(root, 'code') ?? status);
  const supportEmail = textIn(root, 'supportemail');
  return {
    status: numberIn(root, 'statuscode') ?? null,
    code: code || 'error',
    message: textIn(root, 'message') ?? '',
    ...(supportEmail === undefined ? {} : { supportEmail }),
  };
};

/** A text that is here already needs no streaming. */
export const wholeXml = async (call: string, text: string): Promise<XmlNode> =>
  readDocument(call, text) ?? (await loadReader()).readXml(call, new Response(text));

/** Documents that say that something is done or valid: an empty one says so, too. */
const mayBeEmpty = new Set(['result', 'resettoken']);

const wholeAnswer = async (call: string, response: Response, expected: string): Promise<XmlNode> => {
  const text = await textOf(call, response);
  if (text.trim() === '' && mayBeEmpty.has(expected)) return { name: expected, text: '', children: [] };
  return isJson(text) ? (await loadJson()).readJson(call, text, response.status, expected) : wholeXml(call, text);
};

const largestError = 64 * 1024;

const refusalInText = async (text: string, status: number): Promise<Refusal | null> => {
  if (isJson(text)) return (await loadJson()).refusalIn(parsed(text), status);
  return refusalOf(await wholeXml('error', text));
};

/** Adds when a refused call may be sent again, where its Retry-After header gives seconds. */
const withRetryAfter = (problem: Problem, { headers }: Response): Problem => {
  const seconds = Number(headers.get('retry-after'));
  return problem.kind === 'refused' && seconds > 0 ? { ...problem, retryAfterSeconds: seconds } : problem;
};

/**
 * What an answer outside 200 to 299 means: its error document when it brings one with a word in it, else
 * `HTTP Error: {status}`. Never rejects.
 */
export const problemOfAnswer = async (response: Response): Promise<Problem> => {
  const { status } = response;
  try {
    const refusal = await refusalInText(await textOf('error', response, largestError), status);
    if (refusal?.code) return withRetryAfter(problemOfRefusal(refusal, status), response);
  } catch {
    // A page of some proxy, or a torn answer: the status alone speaks.
  }
  return status === 401 ? { kind: 'unauthorized' } : httpProblem(status);
};

/** Roots of what is no answer of a store: the page of a proxy, or the failure of a server that knows no error documents. */
const strange = /(html|fault|exception|error|errors|envelope)$/;

/**
 * What an answer is about: its root, by whatever name, or what stands below it by the name that is expected. What stands
 * beside that, such as the number of titles, goes with it.
 */
const contentOf = (call: string, root: XmlNode, expected: string): XmlNode => {
  // The only item of a list, without the list.
  if (expected === `${root.name}s`) return { name: expected, text: '', children: [root] };
  if (strange.test(root.name)) return raise(malformed(call, '', `a ${root.name} came in place of ${expected}`));
  const inner = root.name === expected ? undefined : childrenOf(root, expected).find(({ children }) => children.length > 0);
  return inner ? { ...inner, children: [...inner.children, ...root.children.filter((each) => each !== inner)] } : root;
};

/**
 * What an XML answer holds; one that came as JSON is read as if it were XML, since the specification leaves open which is
 * which.
 * @param expected the usual name of the root, in lower case.
 * @param reading what a long list hands out while it arrives; without it the answer is read whole.
 * @throws Problem as the error catalogue has it.
 */
export const xmlAnswer = (
  api: { runCall: RunCall },
  call: string,
  sending: Promise<{ response: Response }>,
  expected: string,
  reading?: XmlReading,
): Promise<XmlNode> =>
  api.runCall(call, async () => {
    // The streaming parser comes while the answer is on its way.
    const [{ response }, reader] = await Promise.all([sending, reading && loadReader()]);
    // "No content" is a list with nothing in it.
    if (response.status === 204) return { name: expected, text: '', children: [] };
    const root = reader
      ? await reader.readXml(call, response, { ...reading, root: expected })
      : await wholeAnswer(call, response, expected);
    const refusal = refusalOf(root);
    if (refusal) return raise(problemOfRefusal(refusal, response.status));
    return contentOf(call, root, expected);
  });
