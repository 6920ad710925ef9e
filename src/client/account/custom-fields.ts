import * as v from 'valibot';
import type { CustomField } from '../../../machines/model/account/custom-field.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { fallbackIfUnsupported } from '../wire/unsupported-call.ts';
import { getChildren, getFlag, getItems, getText, type XmlNode } from '../wire/xml-node.ts';

const fieldKinds = ['text', 'number', 'date', 'choice', 'checkbox'] as const;
const FieldLabel = v.object({ id: v.pipe(v.string(), v.nonEmpty()), label: v.string() });

/** The kind of a field; a field of an unknown kind is shown as a text field. */
const getFieldKind = (node: XmlNode): CustomField['kind'] => {
  const type = getText(node, 'Type')?.toLowerCase();
  return fieldKinds.find((kind) => kind === type) ?? 'text';
};

/** The choices of a field; a choice without a value of its own is stored by its label. */
const getChoices = (node: XmlNode): CustomField['choices'] =>
  getItems(node, 'Choices', 'Choice').flatMap((choice) => {
    const text = getText(choice, 'Text') ?? choice.text.trim();
    const value = getText(choice, 'Value') ?? text;
    return value === '' ? [] : [{ value, text: text || value }];
  });

/** The custom fields that the store asks for; empty where the server does not know the call. */
export const fetchCustomFields = async (api: Api, signal: AbortSignal): Promise<CustomField[]> => {
  const call = 'user/signup/fields';
  const root = await readXmlResponse(
    api,
    call,
    api.client.GET('/user/signup/fields', api.readOptions(signal)),
    'customfields',
  ).catch((error: unknown) => fallbackIfUnsupported(error, undefined));
  const parser = createItemParser(api, call, 'fields', FieldLabel);
  const fields = getChildren(root, 'CustomField').flatMap((node) => {
    const id = getText(node, 'Id') ?? getText(node, 'Name');
    const isRequired = getFlag(node, 'Required') ?? false;
    return parser
      .parse({ id, label: getText(node, 'Label') ?? id })
      .map((field) => ({ ...field, kind: getFieldKind(node), isRequired, choices: getChoices(node) }));
  });
  parser.end();
  return fields;
};
