import type { CustomValues } from '../../../machines/model/account/custom-field.ts';
import type { Details, DetailsForm } from '../../../machines/model/account/details.ts';
import type { NewEmail, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { operations } from '../wire/schema.gen.ts';
import { xmlAnswer } from '../wire/answer.ts';
import { customFields } from './custom-fields.ts';
import { customValues } from './custom-values.ts';
import type { Api } from '../wire/client.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { childrenOf, textIn } from '../wire/xml-node.ts';

/** What the shop knows of the customer. */
export const userDetails = async (api: Api, signal: AbortSignal): Promise<Details> => {
  const [asked, root] = await Promise.all([
    customFields(api, signal),
    xmlAnswer(api, 'user/fields/values', api.client.GET('/user/fields/values', api.reading(signal)), 'customfields'),
  ]);
  const values = childrenOf(root, 'CustomField').map((node) => [textIn(node, 'Id') ?? '', textIn(node, 'Value') ?? '']);
  const custom = Object.fromEntries(values) as CustomValues;
  return { customFields: asked, pii: { name: textIn(root, 'Name') ?? '', custom } };
};

type SavedDetails = operations['saveUserDetails']['requestBody']['content']['text/xml'];

const save = async (api: Api, details: SavedDetails, signal: AbortSignal): Promise<object> => {
  const sending = api.client.POST('/user/details', {
    body: details,
    bodySerializer: xmlBody('UserDetails'),
    ...api.changing(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await xmlAnswer(api, 'user/details', sending, 'result');
  return {};
};

export const saveDetails = (api: Api, { name, custom }: DetailsForm, signal: AbortSignal): Promise<object> =>
  save(api, { Name: name, CustomFields: customValues(custom) }, signal);

/** Saves answers to what the store asks, alone. */
export const saveAnswers = (api: Api, custom: CustomValues, signal: AbortSignal): Promise<object> =>
  save(api, { CustomFields: customValues(custom) }, signal);

/** @throws Problem `refused`: `wrong_password`, `email_taken`, `sign_in_again`. */
export const saveEmail = (api: Api, { email, current }: NewEmail, signal: AbortSignal): Promise<object> =>
  save(api, { Email: email, ...(current === undefined ? {} : { CurrentPassword: current }) }, signal);

/** @throws Problem `refused wrong_password`. */
export const savePassword = (api: Api, { password, current }: PasswordChangeForm, signal: AbortSignal): Promise<object> =>
  save(api, { NewPassword: password, CurrentPassword: current }, signal);
