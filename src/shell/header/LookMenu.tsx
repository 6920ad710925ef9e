import { useLingui } from '@lingui/react/macro';
import { useId, type ReactElement } from 'react';
import { BarButton } from '../../ui/BarButton.ts';
import { closeOnFocusLeave, Popover } from '../../ui/Popover.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { LookSelects } from './LookSelects.tsx';
import type { FrameActor } from '../frame/use-frame.ts';

/** The look of the shop for visitors, who have no account menu to choose it in. */
export const LookMenu = ({ frame }: { frame: FrameActor }): ReactElement => {
  const { t } = useLingui();
  const id = useId();
  return (
    <>
      <BarButton popoverTarget={id} aria-label={t`Appearance`}>
        <Icon name="look" />
      </BarButton>
      <Popover id={id} popover="auto" onBlur={closeOnFocusLeave}>
        <LookSelects frame={frame} />
      </Popover>
    </>
  );
};
