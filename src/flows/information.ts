export { informationMachine as flow } from '../../machines/still.ts';
export { InformationView as Screens } from '../views/information/InformationView.tsx';
