import { accountMachine } from '../../../machines/account/account.ts';
import { cardsMachine } from '../../../machines/account/cards.ts';
import { credentialsMachine } from '../../../machines/account/credentials.ts';
import { creditsMachine } from '../../../machines/account/credits.ts';
import { dataDownloadMachine } from '../../../machines/account/data-download.ts';
import { deletionMachine } from '../../../machines/account/deletion.ts';
import { detailsMachine } from '../../../machines/account/details.ts';
import { devicesMachine } from '../../../machines/account/devices.ts';
import { ownSubscriptionMachine } from '../../../machines/account/own-subscription.ts';
import type { AddedCard, Card } from '../../../machines/model/card.ts';
import type { SignedIn } from '../../../machines/app/session.ts';
import type { Details, DetailsForm } from '../../../machines/model/details.ts';
import type { Device } from '../../../machines/model/device.ts';
import type { NewEmailForm, OwnPasswordForm, PasswordChangeForm } from '../../../machines/model/password.ts';
import type { PurchaseRecord } from '../../../machines/model/purchase.ts';
import type { CreditBalance, HeldSubscription } from '../../../machines/model/subscription.ts';
import { requestPort } from '../../../machines/ports.ts';
import { signIn } from '../../client/account.ts';
import { addCard, allCards, cardSession, changeCard, deleteCard } from '../../client/cards.ts';
import { creditBalance } from '../../client/credits.ts';
import { deleteAccount } from '../../client/delete-account.ts';
import { saveDetails, saveEmail, savePassword, userDetails } from '../../client/details.ts';
import { deregisterDevice, userDevices } from '../../client/devices.ts';
import { purchaseRecords } from '../../client/library.ts';
import { api } from '../../client/open-client.ts';
import { cancelSubscription, ownSubscription } from '../../client/own-subscription.ts';
import { raise } from '../../client/problem.ts';
import { requireForm, thisDevice } from '../../client/start-session.ts';
import { userData } from '../../client/user-data.ts';
import { saveFile } from '../../storage/save-file.ts';
import { clearSession, nameCustomer, storedCustomer } from '../../storage/session-storage.ts';
import { addArrivedCard } from './arrived-card.ts';

export const flow = accountMachine.provide({
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
        saveEmail: requestPort<SignedIn, { pii: { form: NewEmailForm | null } }>(async ({ input, signal }) => {
          const form = requireForm(input.pii.form);
          await saveEmail(await api(), form, signal);
          return nameCustomer({ userId: storedCustomer()?.userId ?? '', pii: { email: form.email } });
        }),
        savePassword: requestPort<object, { pii: { form: PasswordChangeForm | null } }>(async ({ input, signal }) =>
          savePassword(await api(), requireForm(input.pii.form), signal),
        ),
      },
    }),
    ownSubscription: ownSubscriptionMachine.provide({
      actors: {
        loadSubscription: requestPort<HeldSubscription | null>(async ({ signal }) => ownSubscription(await api(), signal)),
        cancelSubscription: requestPort<object>(async ({ signal }) => cancelSubscription(await api(), signal)),
      },
    }),
    credits: creditsMachine.provide({
      actors: {
        loadCredits: requestPort<CreditBalance>(async ({ signal }) => creditBalance(await api(), signal)),
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
        deleteAccount: requestPort<object, { pii: { form: OwnPasswordForm | null } }>(async ({ input, signal }) => {
          const { password } = requireForm(input.pii.form);
          const email = storedCustomer()?.pii.email ?? '';
          const shop = await api();
          const { token } = await signIn(shop, { email, password }, thisDevice());
          signal.throwIfAborted();
          await deleteAccount(shop, token, signal);
          // Other tabs hear of it, too.
          clearSession();
          return {};
        }),
      },
    }),
    cards: cardsMachine.provide({
      actors: {
        addCard: requestPort<AddedCard | null>(({ signal }) =>
          addArrivedCard(async (token) => addCard(await api(), token, signal)),
        ),
        addCardAgain: requestPort<AddedCard>(
          async ({ signal }) =>
            (await addArrivedCard(async (token) => addCard(await api(), token, signal))) ??
            raise({ kind: 'refused', code: 'card_over', message: '' }),
        ),
        loadCards: requestPort<Card[]>(async ({ signal }) => allCards(await api(), signal)),
        startCard: requestPort<{ url: string }>(async ({ signal }) => cardSession(await api(), signal)),
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
