import com.adobe.epubcheck.tool.EpubChecker;

/** Checks one EPUB after another, since starting Java takes longer than checking a book; prints what is wrong with each. */
public class CheckEpubs {
  public static void main(String[] files) {
    for (String file : files) {
      int faults = new EpubChecker().run(new String[] {file, "--quiet", "--failonwarnings"});
      System.out.println((faults == 0 ? "sound " : "faulty ") + file);
    }
  }
}
