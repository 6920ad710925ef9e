import { useSelector } from '@xstate/react';
import { Suspense, use, type ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { informationMachine } from '../../../machines/browsing/static-pages.ts';
import { Trans, useLingui } from '@lingui/react/macro';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Empty } from '../../ui/Message.tsx';
import { Page } from '../../ui/Page.tsx';
import { VisuallyHidden } from '../../ui/VisuallyHidden.ts';
import { OuterLink } from '../../ui/TextLink.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';
import { SaveRecordContext, saveRecordText } from '../../views/SaveRecord.tsx';
import { StoreText } from '../../views/StoreText.tsx';

type InformationPageName = 'about' | 'terms' | 'privacy';

const hasHeading = (html: string): boolean => /<h[12][\s>]/i.test(html);

const Heading = ({ name, isHidden }: { name: string; isHidden: boolean }): ReactElement =>
  isHidden ? (
    <VisuallyHidden as="h1">{name}</VisuallyHidden>
  ) : (
    <chakra.h1 fontSize="3xl" mb={6}>
      {name}
    </chakra.h1>
  );

/**
 * The store's own FAQ; renders nothing without one, or if it is on another site, which Help in the
 * footer links to.
 */
const Questions = (): ReactElement | null => {
  const { t } = useLingui();
  const { faq } = useBrand().store;
  if (faq === '' || /^https?:\/\//i.test(faq)) return null;
  return (
    <chakra.section aria-label={t`Help`} mb={10}>
      <StoreText text={faq} />
    </chakra.section>
  );
};

const Help = (): ReactElement => {
  const { supportEmail } = useBrand();
  return (
    <chakra.section borderTop="1px solid" borderColor="line" pt={8} display="grid" justifyItems="start" gap={4}>
      <chakra.h2 fontSize="xl">
        <Trans>Something not working?</Trans>
      </chakra.h2>
      <chakra.p color="inkMuted">
        <Trans>
          You can save a record of what you did and saw in the last half hour. It contains no names, addresses or passwords. Send
          it to the shop’s support team.
        </Trans>{' '}
        {supportEmail === '' ? null : <OuterLink href={`mailto:${supportEmail}`}>{supportEmail}</OuterLink>}
      </chakra.p>
      <Button look="outline" data-event="record.saved" onClick={use(SaveRecordContext)}>
        {saveRecordText}
      </Button>
    </chakra.section>
  );
};

/** The store's text for a page, or a link to the website that has it. */
const StorePage = ({ actor }: { actor: ActorRefFrom<typeof informationMachine> }): ReactElement => {
  const { t } = useLingui();
  const brand = useBrand();
  const page = useSelector(actor, ({ context }) => context.params['page'] as InformationPageName);
  const texts: Record<InformationPageName, { name: string; html: string; url: string }> = {
    about: { name: t`About ${brand.name}`, html: brand.about, url: '' },
    terms: { name: t`Terms of service`, ...brand.terms },
    privacy: { name: t`Privacy policy`, ...brand.privacy },
  };
  const { name, html, url } = texts[page];
  if (html !== '') {
    return (
      <Page width="text">
        <Heading name={name} isHidden={hasHeading(html)} />
        <StoreText text={html} />
      </Page>
    );
  }
  return (
    <Empty level={1} heading={name}>
      {/^https?:\/\//i.test(url) ? (
        <OuterLink href={url} rel="noopener">
          <Trans>Read it on the shop’s website</Trans>
        </OuterLink>
      ) : (
        <Trans>This page hasn’t been written yet.</Trans>
      )}
    </Empty>
  );
};

/** A page about the store; About also has the FAQ and help. */
const InformationPage = ({ actor }: { actor: ActorRefFrom<typeof informationMachine> }): ReactElement => {
  const isAbout = useSelector(actor, ({ context }) => context.params['page'] === 'about');
  return (
    // The texts appear together; one after the other, each text would shift those below it.
    <Suspense
      fallback={
        <Loading>
          <Trans>One moment…</Trans>
        </Loading>
      }
    >
      <StorePage actor={actor} />
      {isAbout ? (
        <Page width="text">
          <Questions />
          <Help />
        </Page>
      ) : null}
    </Suspense>
  );
};

type Actor = ActorRefFrom<typeof informationMachine>;

const screens: Screens<typeof informationMachine> = {
  shown: InformationPage,
};

/** The pages About, Terms of service and Privacy policy. */
export const InformationView = ({ actor }: { actor: Actor }): ReactElement => (
  <FlowScreen flow="information" actor={actor} screens={screens} />
);
