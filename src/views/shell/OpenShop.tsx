import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import { Suspense, type ReactElement } from 'react';
import type { FlowName } from '../../../machines/model/route.ts';
import type { StoreProperties } from '../../../machines/model/store.ts';
import { BrandProvider } from '../../brand/BrandProvider.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { useApp, useAppActor } from '../app-actor.ts';
import { flowViews } from './flows.ts';
import { Frame } from './Frame.tsx';
import { LoadBoundary } from './LoadBoundary.tsx';
import { PageTitle } from './PageTitle.tsx';

const OneMoment = (): ReactElement => (
  <Loading>
    <Trans>One moment…</Trans>
  </Loading>
);

/** The screens of the flow that is running; each flow anew, though the next be of the same kind. */
const RunningFlow = ({ flow }: { flow: FlowName }): ReactElement => {
  const actor = useSelector(useAppActor(), ({ children }) => children['flow']);
  if (actor === undefined) return <OneMoment />;
  const View = flowViews[flow];
  return (
    <LoadBoundary key={actor.sessionId}>
      <PageTitle flow={flow} actor={actor} />
      <Suspense fallback={<OneMoment />}>
        <View actor={actor} />
      </Suspense>
    </LoadBoundary>
  );
};

const Shelves = ({ store }: { store: StoreProperties }): ReactElement => {
  const flow = useApp(({ route }) => route?.flow ?? 'notFound');
  return (
    <BrandProvider store={store}>
      <Frame>{flow === 'invalid' ? <OneMoment /> : <RunningFlow flow={flow} />}</Frame>
    </BrandProvider>
  );
};

/** The open shop: its brand, the frame, and in the middle what the customer came for. */
export const OpenShop = (): ReactElement | null => {
  const store = useApp((context) => context.store);
  return store === null ? null : <Shelves store={store} />;
};
