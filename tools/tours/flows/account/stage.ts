import type { AnyEventObject } from 'xstate';
import type { accountMachine } from '../../../../machines/account/account.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { PurchaseRecord } from '../../../../machines/model/buying/purchase.ts';
import { element, fields } from '../../../../server/base/xml/write.ts';
import { summary } from '../../../../machines/path-models/path-model.ts';
import { standsRecorded, nextOf } from '../../causes.ts';
import { offerJoining, returnFromJoining } from '../../providers.ts';
import type { Headings, Stage } from '../../stage.ts';
import { titleElement, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';
import { changeAddress, deleteAndLeave } from './stage-helpers.ts';

const ofAccount: Headings<typeof accountMachine> = {
  loading: 'My Profile',
  shown: 'My Profile',
  empty: 'My Profile',
  failed: 'We couldn’t load your purchases',
};

const recordElement = ({ paid, name, ...record }: PurchaseRecord) =>
  element('Purchase', [
    fields({
      InstanceId: record.instanceId,
      TitleId: record.titleId,
      PurchasedAt: record.purchasedAt,
      Progress: 0,
      TransId: record.transId ?? undefined,
      Paid: paid?.amount,
      Currency: paid?.currency,
      CurrencySymbol: paid?.symbol,
    }),
    titleElement({ ...summary, name }),
  ]);

const hasSome = (answer: AnyEventObject | null): boolean => ((answer?.['output'] ?? []) as PurchaseRecord[]).length > 0;

export const stage: Stage = {
  name: 'account',
  models: models.filter(({ name }) => name === 'account'),
  sharesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: ofAccount,
  prepares: async (world) => {
    await offerJoining(world);
    if (hasSome(nextOf(world, 'purchaseRecords'))) await (await world.customer()).buys('1001');
    return undefined;
  },
  ports: {
    purchaseRecords: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (records: PurchaseRecord[]) => xml(element('Purchases', records.map(recordElement))),
      says: (records: PurchaseRecord[], body) => records.length > 0 === body.includes('<Purchase>'),
    },
  },
  // The account's end stands below what is waited for.
  isPossible: ({ value }, { type }) => type !== 'leave' || value !== 'loading',
  arrives: standsRecorded,
  // Whoever has another address stays where they are.
  reacts: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'page.returned': returnFromJoining,
    leave: deleteAndLeave,
    'session.started': async ({ page }) => {
      await changeAddress(page);
    },
  },
};
