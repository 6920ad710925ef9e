import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { campaignMachine } from '../../../machines/browsing/campaign.ts';
import { listPath } from '../../../machines/model/paths.ts';
import { formatDay } from '../../brand/facts.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Message } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { StoreText } from '../../views/StoreText.tsx';
import type { CampaignProps } from './props.ts';
import { Running } from './Running.tsx';

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading the offer…</Trans>
  </Loading>
);

const AllTitles = (): ReactElement => (
  <ButtonLink href={listPath('all')}>
    <Trans>See all titles</Trans>
  </ButtonLink>
);

/** A campaign outside its period: its texts, and when it ran or will run. */
const NotRunning = ({ actor, isOver }: CampaignProps & { isOver: boolean }): ReactElement | null => {
  const { i18n } = useLingui();
  const campaign = useSelector(actor, ({ context }) => context.campaign);
  if (campaign === null) return null;
  const date = formatDay(isOver ? campaign.endsAt : campaign.startsAt, i18n.locale);
  return (
    <>
      <Message
        level={1}
        heading={isOver ? <Trans>This offer is over</Trans> : <Trans>This offer hasn’t started yet</Trans>}
        actions={<AllTitles />}
      >
        {campaign.name === '' ? null : <chakra.strong display="block">{campaign.name}</chakra.strong>}
        {isOver ? (
          <Trans>It ended on {date}. Its titles are sold at their usual prices.</Trans>
        ) : (
          <Trans>It starts on {date}.</Trans>
        )}
      </Message>
      {isOver ? null : (
        <Page width="text">
          <StoreText text={campaign.html} />
        </Page>
      )}
    </>
  );
};

const Over = ({ actor }: CampaignProps): ReactElement => <NotRunning actor={actor} isOver />;

const NotStarted = ({ actor }: CampaignProps): ReactElement => <NotRunning actor={actor} isOver={false} />;

const NotFound = (): ReactElement => (
  <Message level={1} failure heading={<Trans>We couldn’t find that offer</Trans>} actions={<AllTitles />}>
    <Trans>It may have been removed, or the link may be wrong.</Trans>
  </Message>
);

const Failed = ({ actor }: CampaignProps): ReactElement => (
  <LoadFailure actor={actor} heading={<Trans>We couldn’t load this offer</Trans>} />
);

const screens: Screens<typeof campaignMachine> = {
  loading: Fetching,
  reading: Fetching,
  shown: Running,
  changing: Running,
  removingOwned: Running,
  puttingBack: Running,
  notBegun: NotStarted,
  over: Over,
  notFound: NotFound,
  failed: Failed,
};

/** A campaign: titles that a store sells together for a limited time. */
export const CampaignView = ({ actor }: CampaignProps): ReactElement => (
  <FlowScreen flow="campaign" actor={actor} screens={screens} />
);
