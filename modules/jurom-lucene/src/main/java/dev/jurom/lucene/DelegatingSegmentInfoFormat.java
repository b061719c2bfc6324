// SPDX-License-Identifier: Apache-2.0
package dev.jurom.lucene;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/**
 * The delegate of a segment: the codec of Lucene that writes everything but stored fields. A file of its own records
 * it, because even the format of Lucene's segment file is that of the delegate. The file has Lucene's header, the number
 * of the codec's name (an int), and the checksum.
 */
final class DelegatingSegmentInfoFormat extends SegmentInfoFormat {

    static final String EXTENSION = "jfc";
    static final String FILE_CODEC = "JuromDelegate";
    private static final String PREFIX = "Lucene"; // of the codecs' names
    private static final int FIRST = 103; // also the delegate of segments without the file

    /** The attribute of a segment with another delegate than the newest. It is not written. */
    private static final String ATTRIBUTE = "dev.jurom.lucene.delegate";

    /** Returns the codec that writes, or has written, a segment. */
    static Codec codec(SegmentInfo segment) {
        var name = segment.getAttribute(ATTRIBUTE);
        return name == null ? newest() : Codec.forName(name);
    }

    /** Returns the codec of lucene-core, which writes new segments. */
    static Codec newest() {
        return Newest.CODEC;
    }

    @Override
    public SegmentInfo read(Directory directory, String segment, byte[] id, IOContext context) throws IOException {
        var file = fileName(segment);
        var number = FIRST;
        var missing = false;
        try {
            number = readNumber(directory, file, id);
        } catch (NoSuchFileException | FileNotFoundException e) {
            missing = true;
        }
        var delegate = find(number, file);
        var info = delegate.segmentInfoFormat().read(directory, segment, id, context);
        if (missing && info.files().contains(file)) {
            throw new CorruptIndexException("the file is missing", file);
        }
        if (delegate != newest()) {
            info.putAttribute(ATTRIBUTE, delegate.getName());
        }
        return info;
    }

    private static int readNumber(Directory directory, String file, byte[] id) throws IOException {
        try (var in = directory.openInput(file, IOContext.READONCE)) {
            CodecUtil.checksumEntireFile(in);
            FileHeader.check(in, FILE_CODEC, id);
            if (in.length() - in.getFilePointer() != Integer.BYTES + CodecUtil.footerLength()) {
                throw new CorruptIndexException("the file has " + in.length() + " bytes", in);
            }
            var number = in.readInt();
            if (number < FIRST) {
                throw new CorruptIndexException("there is no codec " + PREFIX + number, in);
            }
            return number;
        }
    }

    private static Codec find(int number, String file) throws IOException {
        var name = PREFIX + number;
        if (Codec.availableCodecs().contains(name)) {
            return Codec.forName(name);
        }
        var newest = number(newest());
        if (number > newest) {
            throw new IndexFormatTooNewException(file, number, FIRST, newest);
        }
        throw new IndexFormatTooOldException(
                file, "the codec " + name + " is not on the class path or module path: add lucene-backward-codecs");
    }

    @Override
    public void write(Directory directory, SegmentInfo segment, IOContext context) throws IOException {
        var file = fileName(segment.name);
        var delegate = codec(segment);
        try (var out = directory.createOutput(file, context)) {
            segment.addFile(file);
            FileHeader.write(out, FILE_CODEC, segment.getId());
            out.writeInt(number(delegate));
            CodecUtil.writeFooter(out);
        }
        delegate.segmentInfoFormat().write(directory, segment, context);
    }

    private static String fileName(String segment) {
        return IndexFileNames.segmentFileName(segment, "", EXTENSION);
    }

    private static int number(Codec codec) {
        return Integer.parseInt(
                codec.getName(), PREFIX.length(), codec.getName().length(), 10);
    }

    /** Found when first used: Lucene creates codecs while it searches for them. */
    private static final class Newest {

        static final Codec CODEC = Codec.availableCodecs().stream()
                .filter(name -> name.matches(PREFIX + "[0-9]+"))
                .map(Codec::forName)
                .filter(codec -> codec.getClass().getPackageName().equals(corePackage(codec)))
                .findAny()
                .orElseThrow(() -> new IllegalStateException(
                        "lucene-core has no codec: the codecs are " + Codec.availableCodecs()));

        /** Returns the package of a codec in lucene-core: those in lucene-backward-codecs have another one. */
        private static String corePackage(Codec codec) {
            return Codec.class.getPackageName() + "." + codec.getName().toLowerCase(Locale.ROOT);
        }
    }
}
