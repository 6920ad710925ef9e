import { Trans } from '@lingui/react/macro';
import { Component, type ReactElement, type ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Failed } from '../../ui/Message.tsx';

const reload = (): void => location.reload();

/** Shown when a chunk could not be loaded, or a screen threw; `retry` loads the chunk again. */
export const LoadingFailed = ({ retry }: { retry?: ReactNode }): ReactElement => (
  <Failed
    level={1}
    heading={<Trans>Loading failed! Please reload.</Trans>}
    actions={
      <>
        {retry}
        <Button data-event="page.reloaded" onClick={reload}>
          <Trans>Reload</Trans>
        </Button>
      </>
    }
  >
    <Trans>Part of this page couldn’t be loaded. Everything in your library is safe.</Trans>
  </Failed>
);

/** Replaces a screen that threw. */
export class LoadBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <LoadingFailed /> : this.props.children;
  }
}
