import * as v from 'valibot';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { sieve } from '../wire/sieve.ts';
import { orWhenUnknownCall } from '../wire/unknown-call.ts';
import { childrenOf, flagIn, itemsOf, textIn, type XmlNode } from '../wire/xml-node.ts';

const kinds = ['text', 'number', 'date', 'choice', 'checkbox'] as const;
const Field = v.object({ id: v.pipe(v.string(), v.nonEmpty()), label: v.string() });

/** A field of a kind that is not known is asked for as text. */
const kindOf = (node: XmlNode): CustomField['kind'] => {
  const said = textIn(node, 'Type')?.toLowerCase();
  return kinds.find((kind) => kind === said) ?? 'text';
};

/** A choice without a value of its own is kept as what it is called. */
const choicesOf = (node: XmlNode): CustomField['choices'] =>
  itemsOf(node, 'Choices', 'Choice').flatMap((choice) => {
    const text = textIn(choice, 'Text') ?? choice.text.trim();
    const value = textIn(choice, 'Value') ?? text;
    return value === '' ? [] : [{ value, text: text || value }];
  });

/** What the store asks its customers for; nothing where it does not know the call. */
export const customFields = async (api: Api, signal: AbortSignal): Promise<CustomField[]> => {
  const call = 'user/signup/fields';
  const root = await xmlAnswer(api, call, api.client.GET('/user/signup/fields', api.reading(signal)), 'customfields').catch(
    (error: unknown) => orWhenUnknownCall(error, undefined),
  );
  const readable = sieve(api, call, 'fields', Field);
  const fields = childrenOf(root, 'CustomField').flatMap((node) => {
    const id = textIn(node, 'Id') ?? textIn(node, 'Name');
    const isRequired = flagIn(node, 'Required') ?? false;
    return readable
      .take({ id, label: textIn(node, 'Label') ?? id })
      .map((named) => ({ ...named, kind: kindOf(node), isRequired, choices: choicesOf(node) }));
  });
  readable.end();
  return fields;
};
