import type { AnyEventObject } from 'xstate';
import type { accountMachine } from '../../../../machines/account/account.ts';
import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { PurchaseRecord } from '../../../../machines/model/buying/purchase.ts';
import { renderElement, renderFields } from '../../../../server/base/xml/write.ts';
import { titleSummary } from '../../../../machines/path-models/path-model.ts';
import { waitForFlowAndRecorder, getNextSettlement } from '../../causes.ts';
import { offerConnectableProvider, returnFromConnecting } from '../../providers.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { renderTitle, toXmlResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/account/paths.ts';
import { changeEmail, deleteAndLeave } from './adapter-helpers.ts';

const accountHeadings: Headings<typeof accountMachine> = {
  loading: 'My Profile',
  shown: 'My Profile',
  empty: 'My Profile',
  failed: 'We couldn’t load your purchases',
};

const renderRecord = ({ paid, name, ...record }: PurchaseRecord) =>
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
    renderTitle({ ...titleSummary, name }),
  ]);

const hasPurchases = (settlement: AnyEventObject | null): boolean =>
  ((settlement?.['output'] ?? []) as PurchaseRecord[]).length > 0;

export const adapter: BrowserAdapter = {
  name: 'account',
  models: models.filter(({ name }) => name === 'account'),
  reusesPage: true,
  getStartPath: ({ route }: FlowInput) => route.path,
  headings: accountHeadings,
  prepare: async (walk) => {
    await offerConnectableProvider(walk);
    if (hasPurchases(getNextSettlement(walk, 'purchaseRecords'))) await (await walk.getCustomer()).buy('1001');
    return undefined;
  },
  ports: {
    purchaseRecords: {
      matches: ({ pathname }) => pathname.endsWith('/user/purchases'),
      toResponse: (records: PurchaseRecord[]) => toXmlResponse(renderElement('Purchases', records.map(renderRecord))),
      isEquivalent: (records: PurchaseRecord[], body) => records.length > 0 === body.includes('<Purchase>'),
    },
  },
  // A walk does not leave while the purchases load: the deletion form is below them.
  isPossible: ({ value }, { type }) => type !== 'leave' || value !== 'loading',
  openScreen: waitForFlowAndRecorder,
  // A customer whose e-mail address has changed stays on the page.
  getReaction: ({ type }) => (type === 'session.started' ? null : undefined),
  causes: {
    'page.returned': returnFromConnecting,
    leave: deleteAndLeave,
    'session.started': async ({ page }) => {
      await changeEmail(page);
    },
  },
};
