import type { CustomValues } from '../../../machines/model/account/custom-field.ts';
import type { Details, DetailsForm } from '../../../machines/model/account/details.ts';
import type { NewEmail, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { operations } from '../wire/schema.gen.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import { fetchCustomFields } from './custom-fields.ts';
import { toCustomValues } from './custom-values.ts';
import type { Api } from '../wire/client.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getChildren, getText } from '../wire/xml-node.ts';

/** The customer's details, as the server has them. */
export const fetchUserDetails = async (api: Api, signal: AbortSignal): Promise<Details> => {
  const [fields, root] = await Promise.all([
    fetchCustomFields(api, signal),
    readXmlResponse(api, 'user/fields/values', api.client.GET('/user/fields/values', api.readOptions(signal)), 'customfields'),
  ]);
  const values = getChildren(root, 'CustomField').map((node) => [getText(node, 'Id') ?? '', getText(node, 'Value') ?? '']);
  const custom = Object.fromEntries(values) as CustomValues;
  return { customFields: fields, pii: { name: getText(root, 'Name') ?? '', custom } };
};

type DetailsRequest = operations['saveUserDetails']['requestBody']['content']['text/xml'];

const postDetails = async (api: Api, details: DetailsRequest, signal: AbortSignal): Promise<object> => {
  const responsePromise = api.client.POST('/user/details', {
    body: details,
    bodySerializer: createXmlSerializer('UserDetails'),
    ...api.changeOptions(null, signal),
    headers: { 'Content-Type': 'text/xml' },
  });
  await readXmlResponse(api, 'user/details', responsePromise, 'result');
  return {};
};

export const saveDetails = (api: Api, { name, custom }: DetailsForm, signal: AbortSignal): Promise<object> =>
  postDetails(api, { Name: name, CustomFields: toCustomValues(custom) }, signal);

/** Saves only the answers to the store's questions. */
export const saveAnswers = (api: Api, custom: CustomValues, signal: AbortSignal): Promise<object> =>
  postDetails(api, { CustomFields: toCustomValues(custom) }, signal);

/**
 * Changes the e-mail address.
 * @throws Problem `refused`: `wrong_password`, `email_taken`, `sign_in_again`.
 */
export const saveEmail = (api: Api, { email, current }: NewEmail, signal: AbortSignal): Promise<object> =>
  postDetails(api, { Email: email, ...(current === undefined ? {} : { CurrentPassword: current }) }, signal);

/**
 * Changes the password.
 * @throws Problem `refused`: `wrong_password`, `no_password`, or as `signUp` for a password that is
 * easily guessed.
 */
export const savePassword = (api: Api, { password, current }: PasswordChangeForm, signal: AbortSignal): Promise<object> =>
  postDetails(api, { NewPassword: password, CurrentPassword: current }, signal);
