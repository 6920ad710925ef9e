import type { AnyEventObject } from 'xstate';
import type { accountMachine } from '../../../../machines/account/account.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { PurchaseRecord } from '../../../../machines/model/buying/purchase.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { summary } from '../../../../machines/path-models/path-model.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { offerJoining, returnFromJoining } from '../../providers.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { titleElement, xml } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';
import { changeAddress, deleteAndLeave } from './adapter-helpers.ts';

const accountHeadings: Headings<typeof accountMachine> = {
  loading: 'My Profile',
  shown: 'My Profile',
  empty: 'My Profile',
  failed: 'We couldn’t load your purchases',
};

const recordElement = ({ paid, name, ...record }: PurchaseRecord) =>
  renderElement('Purchase', [
    renderFields({
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

const hasPurchases = (answer: AnyEventObject | null): boolean => ((answer?.['output'] ?? []) as PurchaseRecord[]).length > 0;

export const adapter: BrowserAdapter = {
  name: 'account',
  models: models.filter(({ name }) => name === 'account'),
  reusesPage: true,
  address: ({ route }: FlowInput) => route.path,
  headings: accountHeadings,
  prepares: async (world) => {
    await offerJoining(world);
    if (hasPurchases(getNextSettlement(world, 'purchaseRecords'))) await (await world.customer()).buy('1001');
    return undefined;
  },
  ports: {
    purchaseRecords: {
      asks: ({ pathname }) => pathname.endsWith('/user/purchases'),
      answer: (records: PurchaseRecord[]) => xml(renderElement('Purchases', records.map(recordElement))),
      says: (records: PurchaseRecord[], body) => records.length > 0 === body.includes('<Purchase>'),
    },
  },
  // The deletion form is below the content that is loading.
  isPossible: ({ value }, { type }) => type !== 'leave' || value !== 'loading',
  arrives: waitForFlowAndRecorder,
  // A customer whose address has changed stays on the page.
  reacts: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'page.returned': returnFromJoining,
    leave: deleteAndLeave,
    'session.started': async ({ page }) => {
      await changeAddress(page);
    },
  },
};
