import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { notFoundMachine } from '../../../machines/browsing/static-pages.ts';
import { ButtonLink } from '../../ui/Button.tsx';
import { Message } from '../../ui/Message.tsx';
import { FlowScreen, type Screens } from '../../views/FlowScreen.tsx';

type Actor = ActorRefFrom<typeof notFoundMachine>;
type Page = { heading: string; text: string; backText: string };

/** The screen of an unknown path; the paths /404 and /500 have texts of their own. */
const Shown = ({ actor }: { actor: Actor }): ReactElement => {
  const { t } = useLingui();
  const page = useSelector(actor, ({ context }) => context.params['page']);
  const wrongTurn: Page = {
    heading: t`Oops! Wrong Turn`,
    text: t`We don’t recognise this page. It may have been moved, or it may never have existed.`,
    backText: t`Back to Home`,
  };
  const pages: Record<string, Page> = {
    404: {
      heading: t`Looks like you got lost`,
      text: t`The page you’re looking for doesn’t exist or has been moved.`,
      backText: t`BACK HOME`,
    },
    500: { heading: t`Internal Server Error`, text: t`Something went wrong. Please try again later.`, backText: t`BACK HOME` },
  };
  const { heading, text, backText } = pages[page ?? ''] ?? wrongTurn;
  return (
    <Message level={1} failure heading={heading} actions={<ButtonLink href="/">{backText}</ButtonLink>}>
      {text}
    </Message>
  );
};

const screens: Screens<typeof notFoundMachine> = { shown: Shown };

/** The page of an unknown path, with a link back. */
export const NotFoundView = ({ actor }: { actor: Actor }): ReactElement => (
  <FlowScreen flow="notFound" actor={actor} screens={screens} />
);
