//===- CubeImage.td - Loads of an image as the matrix a convolution multiplies ----------------------------------------===//
#ifndef TILESMITH_ISA_CUBEIMAGE
#define TILESMITH_ISA_CUBEIMAGE

include "Cube.td"

// Pairs of small numbers travel in one: the one along the width and, times 256, the one along the height.
def LoadData3DV2 : Instruction<"load_data_3d_v2", "LoadData"> {
  let summary = "A part of the matrix whose row is a place of the filter over an image in L1 and whose column is an element under it "
                "(img2col). The image is channelSize channels in groups of 32 bytes, each l1H x l1W pixels; around it lie pads pixels "
                "(left, right, top, bottom: 8 bits each) of padValue. Rows are places of the filter, line by line; columns run over "
                "groups of channels, height and width of the filter, and channels. Rows mStart ... and columns kStart ... become whole "
                "fractals of L0, one after the other; rows beyond the last place are zero.";
  let family = "LoadImage";
  let execute = "loadImage";
  let pipe = "MTE1";
  let cost = "Move";
  let operands = [Dst<"dst", ["L0A", "L0B"]>, Src<"src", ["L1"]>, Between<"l1H", "1", "32767">, Between<"l1W", "1", "32767">,
                  Between<"channelSize", "1", "65535">, Half<"kExtension">, Half<"mExtension">, Half<"kStart">, Half<"mStart">, Half<"stride">,
                  Half<"filter">, Half<"dilation">, UpTo<"pads", "4294967295">, Scalar<"padValue">];
  let layout = [Lies<"dst", "run(ceil(mExtension, 16) * ceil(kExtension * size, blockBytes) * fractalBytes)">,
                Lies<"src", "run(ceil(channelSize * size, blockBytes) * l1H * l1W * blockBytes)", "kExtension && mExtension">];
  let inOverload = 1;
  let dtypes = [OnC220<["I8", "F16", "BF16", "F32"]>, OnC310<["I8", "F16", "BF16", "F32"]>];
  let example = "AscendC::LoadData(a2, a1, imageParams);";
}

#endif // TILESMITH_ISA_CUBEIMAGE
