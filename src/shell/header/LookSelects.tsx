import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { frameMachine } from '../../../machines/app/frame.ts';
import {
  backgrounds,
  barThemes,
  getDefaultTopBar,
  type Appearance,
  type Background,
  type BarTheme,
} from '../../../machines/model/store/appearance.ts';
import { chakra } from '../../ui/chakra.ts';
import { ChoiceSelect } from '../../ui/ChoiceSelect.tsx';

/** Selects for the themes of top bar, sidebar and background, in a column. */
export const LookSelects = ({ frame }: { frame: ActorRefFrom<typeof frameMachine> }): ReactElement => {
  const { t } = useLingui();
  const look = useSelector(frame, ({ context }) => context.appearance);
  const theme = useSelector(frame, ({ context }) => context.theme);
  const barNames: Record<BarTheme, string> = {
    store: t`Shop colour`,
    paper: t`Paper`,
    ink: t`Ink`,
    navy: t`Navy`,
    forest: t`Forest`,
    plum: t`Plum`,
    sand: t`Sand`,
  };
  const backgroundNames: Record<Background, string> = { paper: t`Paper`, white: t`White`, night: t`Night` };
  const barChoices = barThemes.map((value) => ({ value, text: barNames[value] }));
  const choose = (change: Partial<Appearance>): void => frame.send({ type: 'look.chosen', appearance: { ...look, ...change } });
  return (
    <chakra.div
      role="group"
      aria-label={t`Appearance`}
      display="grid"
      gridTemplateColumns="minmax(0, 1fr) minmax(9rem, max-content)"
      columnGap={4}
      rowGap={3}
      fontSize="sm"
      css={{ '& > *': { gridColumn: '1 / -1' }, '& > label': { display: 'grid', gridTemplateColumns: 'subgrid' } }}
    >
      <chakra.p aria-hidden="true" fontSize="md" fontWeight={600}>{t`Appearance`}</chakra.p>
      <ChoiceSelect
        label={t`Top bar`}
        name="topBar"
        value={look.topBar ?? getDefaultTopBar(theme)}
        choices={barChoices}
        event="look.chosen"
        onChoose={(topBar) => choose({ topBar })}
      />
      <ChoiceSelect
        label={t`Sidebar`}
        name="sidebar"
        value={look.sidebar}
        choices={barChoices}
        event="look.chosen"
        onChoose={(sidebar) => choose({ sidebar })}
      />
      <ChoiceSelect
        label={t`Background`}
        name="background"
        value={look.background}
        choices={backgrounds.map((value) => ({ value, text: backgroundNames[value] }))}
        event="look.chosen"
        onChoose={(background) => choose({ background })}
      />
    </chakra.div>
  );
};
