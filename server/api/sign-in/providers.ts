import { hasOpenQuestions } from '../../accounts/custom-fields.ts';
import { providerReturnPath } from '../../../machines/model/paths.ts';
import { originOf } from '../../stores/origin.ts';
import { accountOf } from '../../providers/account-of.ts';
import { keepBegun, takeBegun } from '../../providers/begun.ts';
import { findProvider, type Person } from '../../providers/provider.ts';
import { element, fields } from '../../base/xml/write.ts';
import type { Answer, Call } from '../calls/call.ts';
import { countSignUp, limitCaller } from '../calls/limits.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { checkApplication, openSession, type Verified } from './sign-in.ts';

/** By whom the store's customers may sign in. */
export async function providers({ services, store }: Call<'providers'>): Answer<'providers'> {
  const rows = await services.db
    .selectFrom('providers')
    .select(['id', 'kind', 'name'])
    .where('store_id', '=', store.id)
    .orderBy('position')
    .execute();
  return element(
    'Providers',
    rows.map(({ id, kind, name }) => element('Provider', [fields({ Id: id, Kind: kind, Name: name })])),
  );
}

/** Where a provider leads back to, as browsers write it: providers compare every letter. */
export const returnUrl = ({ services, store, request }: Call): string =>
  new URL(providerReturnPath, originOf(store, request, services.config)).href;

/** Begins to sign in by a provider: where the browser has to go, and the state that it comes back with. */
export async function startProviderSignIn(call: Call<'startProviderSignIn'>): Answer<'startProviderSignIn'> {
  const { services, store, query, body } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const provider = await findProvider(services.db, store.id, body.ProviderId);
  if (!provider || provider.kind === 'phone') throw notFound('provider');
  const { url, begun } = await services.providers.begin(provider, returnUrl(call));
  await keepBegun(services.db, store.id, provider.id, begun);
  return element('ProviderSignIn', [fields({ Url: url, State: begun.state })]);
}

export const signInOver = (): DomainError =>
  new DomainError('conflict', 'This sign-in has been finished, or was begun too long ago.', { code: 'sign_in_over' });

/** The customer whom a provider, or a telephone, has just vouched for. */
export const verifiedBy = ({ issuer, subject }: Person, userId: string): Verified => ({
  userId,
  credential: { kind: 'identity', issuer, subject },
  over: signInOver,
});

/** Signs in whom the provider has sent back, once for each sign-in that was begun. */
export async function finishProviderSignIn(call: Call<'finishProviderSignIn'>): Answer<'finishProviderSignIn'> {
  const { services, store, request, query, body, spoken } = call;
  checkApplication(call, query.appid);
  await limitCaller(call, 'provider');
  const taken = await takeBegun(services.db, store.id, body.State);
  const provider = taken && (await findProvider(services.db, store.id, taken.providerId));
  if (!taken || !provider) throw signInOver();
  const person = await services.providers.finish(provider, taken.begun, { code: body.Code, issuer: body.Issuer });
  const setting = {
    storeId: store.id,
    language: spoken.language,
    origin: originOf(store, request, services.config),
    address: request.ip,
    countNew: () => countSignUp(call),
  };
  const user = await accountOf(services.db, setting, person);
  return openSession(call, verifiedBy(person, user.id), query, await hasOpenQuestions(services.db, store.id, user.id));
}
