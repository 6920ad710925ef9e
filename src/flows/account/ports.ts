import { accountMachine } from '../../../machines/account/account.ts';
import { cardsMachine } from '../../../machines/account/cards.ts';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import { creditsMachine } from '../../../machines/account/credits.ts';
import { dataDownloadMachine } from '../../../machines/account/data-download.ts';
import { deletionMachine } from '../../../machines/account/deletion.ts';
import { detailsMachine } from '../../../machines/account/details.ts';
import { ownProvidersMachine } from '../../../machines/account/own-providers.ts';
import { phoneMachine, type CodeRequest, type CodeSignIn } from '../../../machines/account/phone.ts';
import { passkeysMachine } from '../../../machines/account/passkeys.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { giftsMachine, type GiftToSend } from '../../../machines/account/gifts.ts';
import { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import type { AddedCard, Card, CardForm } from '../../../machines/model/buying/card.ts';
import type { CameBy, SignedIn } from '../../../machines/app/session.ts';
import type { Details, DetailsForm } from '../../../machines/model/account/details.ts';
import type { Device } from '../../../machines/model/account/device.ts';
import type { GivenGift } from '../../../machines/model/buying/gift.ts';
import type { NewEmail, OwnPassword, PasswordChangeForm } from '../../../machines/model/account/password.ts';
import type { AddedPasskey, Passkey, PasskeyNameForm, Passkeys } from '../../../machines/model/account/passkey.ts';
import type { PurchaseRecord } from '../../../machines/model/buying/purchase.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import type { CreditBalance, HeldSubscription } from '../../../machines/model/buying/subscription.ts';
import { signIn } from '../../client/account/account.ts';
import type { Api } from '../../client/wire/client.ts';
import { addCard, allCards, cardSession, changeCard, deleteCard, typedCards } from '../../client/payment/cards.ts';
import { creditNews } from '../../client/subscription/credit-news.ts';
import { creditBalance } from '../../client/subscription/credits.ts';
import { deleteAccount } from '../../client/account/delete-account.ts';
import { saveDetails, saveEmail, savePassword, userDetails } from '../../client/account/details.ts';
import { deregisterDevice, userDevices } from '../../client/account/devices.ts';
import { resendGift, userGifts } from '../../client/payment/gifts.ts';
import { purchaseRecords } from '../../client/library/library.ts';
import { joinPhone, ownProviders, removeProvider, startJoining } from '../../client/account/own-providers.ts';
import { sendPhoneCode } from '../../client/account/providers.ts';
import type { CodeSent } from '../../../machines/model/account/phone.ts';
import { accountPath } from '../../../machines/model/paths.ts';
import type { OwnProvider } from '../../../machines/model/account/provider.ts';
import { withheld } from '../../history/withheld.ts';
import { leaveForProvider } from '../../shell/ports/leave-for-provider.ts';
import { addPasskey, canUsePasskeys, removePasskey, renamePasskey, userPasskeys } from '../../client/account/passkeys.ts';
import {
  cancelSubscription,
  customerPortal,
  ownSubscription,
  resumeSubscription,
} from '../../client/subscription/own-subscription.ts';
import { raise } from '../../client/wire/problem.ts';
import { requireForm, thisDevice } from '../../client/account/start-session.ts';
import { orWhenUnknownCall } from '../../client/wire/unknown-call.ts';
import { userData } from '../../client/account/user-data.ts';
import { hasPassword } from '../../client/account/ways.ts';
import { saveFile } from '../../storage/save-file.ts';
import { nameCustomer } from '../../storage/name-customer.ts';
import { clearAccount, storedCustomer } from '../../storage/session-storage.ts';
import { addArrivedCard } from './arrived-card.ts';
import type { World } from '../../shell/app/world.ts';

export const flow = ({ api, own, token }: World) => {
  /** Where nobody can say, the password is asked for: whoever has none is then told so. */
  const asksForPassword = safePort<boolean>(
    async ({ signal }) => hasPassword(await api(), signal),
    () => true,
  );

  /** A token of a moment ago: by the password where there is one, else that of the session, which the server judges. */
  const freshToken = async (shop: Api, { password }: OwnPassword) => {
    if (password === undefined) return { token: token() ?? '', isSession: true };
    const email = storedCustomer()?.pii.email ?? '';
    const session = await signIn(shop, { email, password }, thisDevice());
    return { token: session.token, isSession: false };
  };

  return accountMachine.provide({
    actors: {
      purchaseRecords: requestPort<PurchaseRecord[]>(async ({ signal }) => purchaseRecords(await api(), signal)),
      details: detailsMachine.provide({
        actors: {
          loadDetails: requestPort<Details>(async ({ signal }) => userDetails(await api(), signal)),
          saveDetails: requestPort<object, { pii: { form: DetailsForm | null } }>(async ({ input, signal }) =>
            saveDetails(await api(), requireForm(input.pii.form), signal),
          ),
        },
      }),
      credentials: credentialsMachine.provide({
        actors: {
          hasPassword: asksForPassword,
          saveEmail: requestPort<SignedIn, { pii: { form: NewEmail | null } }>(async ({ input, signal }) => {
            const form = requireForm(input.pii.form);
            await saveEmail(await api(), form, signal);
            return nameCustomer({ userId: storedCustomer()?.userId ?? '', pii: { email: form.email } });
          }),
          savePassword: requestPort<object, { pii: { form: PasswordChangeForm | null } }>(async ({ input, signal }) =>
            savePassword(await api(), requireForm(input.pii.form), signal),
          ),
        },
      }),
      ownProviders: ownProvidersMachine.provide({
        actors: {
          loadProviders: requestPort<OwnProvider[]>(async ({ signal }) => ownProviders(await api(), signal)),
          startJoining: requestPort<string | null, { providerId: string }>(async ({ input, signal }) => {
            const begun = await startJoining(await api(), input.providerId, signal);
            // Who has gone elsewhere in the meantime stays in the shop.
            signal.throwIfAborted();
            return (
              begun &&
              leaveForProvider(own(withheld), begun, {
                joins: true,
                remember: true,
                way: { path: accountPath('ways'), action: null },
              })
            );
          }),
          phone: phoneMachine.provide({
            actors: {
              sendCode: requestPort<CodeSent, CodeRequest>(async ({ input, signal }) =>
                sendPhoneCode(await api(), input.pii.phone, signal),
              ),
              signInByCode: requestPort<CameBy, CodeSignIn>(async ({ input }) => {
                await joinPhone(await api(), input.pii);
                return storedCustomer() ?? raise({ kind: 'unauthorized' });
              }),
            },
          }),
          removeProvider: requestPort<OwnProvider[], { providerId: string }>(async ({ input, signal }) =>
            removeProvider(await api(), input.providerId, signal),
          ),
        },
      }),
      passkeys: passkeysMachine.provide({
        actors: {
          loadPasskeys: requestPort<Passkeys | null>(async ({ signal }) =>
            userPasskeys(await api(), signal).then(
              (passkeys) => ({ passkeys, canAdd: canUsePasskeys() }),
              (error: unknown) => orWhenUnknownCall(error, null),
            ),
          ),
          addPasskey: requestPort<AddedPasskey>(async ({ signal }) => addPasskey(await api(), thisDevice().name, signal)),
          renamePasskey: requestPort<Passkey[], { passkeyId: string; pii: { form: PasskeyNameForm | null } }>(
            async ({ input, signal }) => renamePasskey(await api(), input.passkeyId, requireForm(input.pii.form).name, signal),
          ),
          removePasskey: requestPort<Passkey[], { passkeyId: string }>(async ({ input, signal }) =>
            removePasskey(await api(), input.passkeyId, signal),
          ),
        },
      }),
      gifts: giftsMachine.provide({
        actors: {
          loadGifts: requestPort<GivenGift[] | null>(async ({ signal }) =>
            userGifts(await api(), signal).catch((error: unknown) => orWhenUnknownCall(error, null)),
          ),
          sendGift: requestPort<GivenGift, GiftToSend>(async ({ input: { giftId, pii }, signal }) =>
            resendGift(await api(), { giftId, email: pii.form?.email ?? null }, signal),
          ),
        },
      }),
      ownSubscription: ownSubscriptionMachine.provide({
        actors: {
          loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => ownSubscription(await api(), signal)),
          cancelSubscription: requestPort<object>(async ({ signal }) => cancelSubscription(await api(), signal)),
          resumeSubscription: requestPort<object>(async ({ signal }) => resumeSubscription(await api(), signal)),
          openPortal: requestPort<{ url: string }>(async ({ signal }) => customerPortal(await api(), signal)),
        },
      }),
      credits: creditsMachine.provide({
        actors: {
          loadCredits: requestPort<CreditBalance>(async ({ signal }) => {
            const balance = await creditBalance(await api(), signal);
            // What stands here and in the top bar is the same.
            own(creditNews).tell();
            return balance;
          }),
        },
      }),
      dataDownload: dataDownloadMachine.provide({
        actors: {
          saveData: requestPort<object>(async ({ signal }) => {
            const data = await userData(await api(), signal);
            signal.throwIfAborted();
            saveFile('my-data', data);
            return {};
          }),
        },
      }),
      deletion: deletionMachine.provide({
        actors: {
          hasPassword: asksForPassword,
          deleteAccount: requestPort<object, { pii: { form: OwnPassword | null } }>(async ({ input, signal }) => {
            const shop = await api();
            const fresh = await freshToken(shop, requireForm(input.pii.form));
            signal.throwIfAborted();
            await deleteAccount(shop, fresh, signal);
            // Other tabs hear of it, too.
            clearAccount();
            return {};
          }),
        },
      }),
      cards: cardsMachine.provide({
        actors: {
          addCard: requestPort<AddedCard | null>(({ signal }) =>
            addArrivedCard(async (cardToken) => addCard(await api(), cardToken, signal)),
          ),
          addCardAgain: requestPort<AddedCard>(
            async ({ signal }) =>
              (await addArrivedCard(async (cardToken) => addCard(await api(), cardToken, signal))) ??
              raise({ kind: 'refused', code: 'card_over', message: '' }),
          ),
          loadCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal)),
          startCard: requestPort<{ url: string | null }>(async ({ signal }) => cardSession(await api(), signal)),
          sendCard: requestPort<AddedCard, { pii: { form: CardForm | null } }>(async ({ input, signal }) =>
            own(typedCards).add(await api(), requireForm(input.pii.form), signal),
          ),
          changeDefault: requestPort<Card[], { cardId: string }>(async ({ input, signal }) =>
            changeCard(await api(), input.cardId, signal),
          ),
          removeCard: requestPort<Card[], { cardId: string }>(async ({ input, signal }) =>
            deleteCard(await api(), input.cardId, signal),
          ),
        },
      }),
      devices: devicesMachine.provide({
        actors: {
          loadDevices: requestPort<Device[]>(async ({ signal }) => userDevices(await api(), thisDevice().id, signal)),
          removeDevice: requestPort<object, { deviceId: string }>(async ({ input, signal }) =>
            deregisterDevice(await api(), input.deviceId, signal),
          ),
        },
      }),
    },
  });
};
