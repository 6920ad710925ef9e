import { Argument, Command, CommanderError, Help, type OptionValues, type ParseOptionsResult } from 'commander';
import { UsageError } from '../process/command-line.ts';
import { commands, commonOptions, dryRun, type StoreCommandSpec } from './commands.ts';

/** An import's options beside its folder: the names of files, and terms for all titles. */
export type ImportOptions = {
  folder: string;
  price: string | undefined;
  prices: string | undefined;
  onix: string | undefined;
  categories: string[];
  bySubject: boolean;
};

/** A command as the operations of the shop take it. */
export type StoreCommand = {
  name: string;
  given: Record<string, unknown>;
  json: boolean;
  shop: string | undefined;
  out: string | undefined;
  /** a JSON file with properties */
  file: string | undefined;
  imports: ImportOptions | undefined;
};

/** A value that is written as JSON, else the text itself; nothing takes a property back. */
function propertyValue(written: string): unknown {
  if (written === '') return null;
  try {
    return JSON.parse(written) as unknown;
  } catch {
    return written;
  }
}

/** @throws UsageError for one without its value */
function propertiesIn(pairs: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=');
      if (end < 1) throw new UsageError(`--set ${pair}: it is written as NAME=VALUE`);
      return [pair.slice(0, end), propertyValue(pair.slice(end + 1))];
    }),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The operation that a command asks for. @throws UsageError */
function storeCommandOf({ name }: StoreCommandSpec, folder: string, own: OptionValues, common: OptionValues): StoreCommand {
  const { file, ...values } = own;
  const given: Record<string, unknown> = { ...values, ...(common['store'] === undefined ? {} : { store: common['store'] }) };
  const all = {
    name,
    given,
    json: common['json'] === true,
    shop: textOf(common['shop']),
    out: textOf(common['out']),
    file: textOf(file),
    imports: undefined,
  };
  if (name === 'clock')
    return { ...all, name: own['forward'] === undefined && own['to'] === undefined ? 'clock show' : 'clock move' };
  if (name === 'properties set') {
    if (own['set'] === undefined && file === undefined) throw new UsageError(`${name} needs --set or --file.`);
    const { set, ...others } = given;
    return { ...all, given: { ...others, properties: propertiesIn(listOf(set)) } };
  }
  if (name !== 'import') return all;
  const { price, prices, onix, category, categoriesFromSubjects, ...others } = given;
  const imports = {
    folder,
    price: textOf(price),
    prices: textOf(prices),
    onix: textOf(onix),
    categories: listOf(category),
    bySubject: categoriesFromSubjects === true,
  };
  return { ...all, given: others, imports };
}

/** A command that takes no option for the value of another one. */
class StrictCommand extends Command {
  override createCommand(name?: string): StrictCommand {
    return new StrictCommand(name);
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    for (const [at, arg] of args.entries()) {
      const option = this.options.find(({ long }) => long === arg);
      const value = args[at + 1] ?? '';
      if (option?.required && value.startsWith('-'))
        this.error(`option '${option.flags}' has no value; one that begins with a dash is written ${arg}=${value}`);
    }
    return super.parseOptions(args);
  }
}

const isCommand = ({ commands: own }: Command): boolean => own.length === 0;

/** The root's help lists the commands themselves, not the things that they are about. */
class FlatHelp extends Help {
  override showGlobalOptions = true;

  override visibleCommands(command: Command): Command[] {
    return command.commands.flatMap((each) => (isCommand(each) ? [each] : each.commands));
  }

  override subcommandTerm(command: Command): string {
    const { parent, registeredArguments: words } = command;
    const thing = parent?.parent ? [parent.name()] : [];
    return [...thing, command.name(), ...words.map((word) => word.name())].join(' ');
  }
}

const formatHelp = (command: Command, { helpWidth = 80 }: Help): string => {
  const help = new FlatHelp();
  help.helpWidth = helpWidth;
  return help.formatHelp(command, help);
};

/**
 * The commands and options of the table, as the library knows them.
 * @param found takes the command that the words ask for
 * @param write takes help
 */
function programOf(found: (command: StoreCommand) => void, write: (text: string) => void): Command {
  const program = new StrictCommand('npm run store --');
  program
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write, outputError: () => {} })
    .configureHelp({ formatHelp })
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nnpm run store -- codes make --help lists the options of a command, here of “codes make”.\n' +
        'The shop is asked with the ADMIN_TOKEN that it was started with, from the environment.\n' +
        'Ends with 0 when it is done, with 1 when it cannot be done, with 2 when the command is not understood.',
    );
  for (const option of commonOptions) program.addOption(option);
  for (const spec of commands) {
    const [thing = '', verb] = spec.name.split(' ');
    const group =
      verb === undefined ? program : (program.commands.find((each) => each.name() === thing) ?? program.command(thing));
    const command = group.command(verb ?? thing).description(spec.says);
    const options = [...(spec.options ?? []), ...(spec.changes ? [dryRun] : [])];
    const needed = options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    if (spec.argument) command.addArgument(new Argument(...spec.argument));
    for (const option of options) command.addOption(option);
    command.usage([...(spec.argument ? [spec.argument[0]] : []), ...needed, '[options]'].join(' '));
    if (spec.more) command.addHelpText('after', `\n${spec.more}`);
    command.action(() => found(storeCommandOf(spec, command.args[0] ?? '', command.opts(), program.opts())));
  }
  return program;
}

/**
 * An error of the library in the words of the shop.
 * @param help of the thing that was named without a verb
 */
function explain({ code, message }: CommanderError, args: readonly string[], help: string): string {
  if (code === 'commander.help') return help;
  const text = message.replace(/^error: /, '');
  if (code === 'commander.unknownCommand') return `${text}\nThere are: ${commands.map(({ name }) => name).join(', ')}.`;
  const command = commands.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));
  return command === undefined ? text : `${command.name}: ${text}`;
}

/**
 * Reads the command line.
 * @returns the help where it was asked for
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): StoreCommand | { help: string } {
  let [command, help]: [StoreCommand | undefined, string] = [undefined, ''];
  const program = programOf(
    (found) => {
      command = found;
    },
    (text) => {
      help += text;
    },
  );
  try {
    program.parse(args.length === 0 || args[0] === 'help' ? ['--help'] : args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw new UsageError(explain(error, args, help));
  }
  return command ?? { help };
}
